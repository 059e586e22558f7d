package postgres

// PlannerSettings returns the session settings ([Config.Settings]) that the statements of every service behind the gateway rely
// on. Each statement has one plan that suits all arguments, which scans an index in the order of its page. Statistics know
// neither how a seller's rows are distributed over time nor that only a few of them are needed, and a plan that is cached while
// the tables are small is still used when they have grown: so plans are generic, and sequential and bitmap scans are disabled. A
// statement whose best plan depends on its values runs in [WithCustomPlan]. JIT is off because compilation takes longer than any
// of the statements, and memoization because a page reads nothing twice: it made pages of walks 4 to 10 % slower.
func PlannerSettings() map[string]string {
	return map[string]string{
		"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off", "enable_bitmapscan": "off", "jit": "off",
		"enable_memoize": "off",
	}
}
