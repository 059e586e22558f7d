package machinetest

import (
	"fmt"
	"slices"
	"strings"

	"sellerapi.dev/pkg/machine"
)

// Markdown renders a machine as a document section: the states and the rules.
func Markdown[S, T ~string](m *machine.Machine[S, T]) string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", m.Name())
	b.WriteString("| State | Meaning | Terminal |\n| --- | --- | --- |\n")
	for _, state := range m.States() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", state.Name, state.Meaning, mark(state.Terminal))
	}
	b.WriteString("\n| From | Trigger | Actor | Condition | To | Effect |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, rule := range m.Rules() {
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s | %s |\n",
			rule.From, rule.Trigger, rule.Actor, rule.Condition, path(rule), rule.Effect)
	}
	return b.String()
}

func path[S, T ~string](rule machine.Rule[S, T]) string {
	steps := make([]string, 0, len(rule.Via)+1)
	for _, state := range append(slices.Clone(rule.Via), rule.To) {
		steps = append(steps, "`"+string(state)+"`")
	}
	return strings.Join(steps, " → ")
}

func mark(yes bool) string {
	if yes {
		return "yes"
	}
	return ""
}
