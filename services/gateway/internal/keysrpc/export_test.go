package keysrpc

// Wanted returns the action of a procedure, "" for one without.
func Wanted(procedure string) string { return string(wanted[procedure]) }
