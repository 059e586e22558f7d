package machine

import (
	"fmt"
	"strings"
)

// Markdown renders the machine as a document section: a picture (Mermaid), the states and the rules.
func (m *Machine[S, T]) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n", m.name)
	m.renderPicture(&b)
	b.WriteString("| State | Meaning | Terminal |\n| --- | --- | --- |\n")
	for _, state := range m.states {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", state.Name, state.Meaning, mark(state.Terminal))
	}
	b.WriteString("\n| From | Trigger | Actor | Condition | To | Effect |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, rule := range m.rules {
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s | %s |\n",
			rule.From, rule.Trigger, rule.Actor, rule.Condition, rule.path(), rule.Effect)
	}
	return b.String()
}

func (m *Machine[S, T]) renderPicture(b *strings.Builder) {
	b.WriteString("```mermaid\nstateDiagram-v2\n")
	for _, rule := range m.rules {
		fmt.Fprintf(b, "    %s --> %s: %s\n", rule.From, rule.To, rule.Trigger)
	}
	for _, state := range m.states {
		if state.Terminal {
			fmt.Fprintf(b, "    %s --> [*]\n", state.Name)
		}
	}
	b.WriteString("```\n\n")
}

func (r Rule[S, T]) path() string {
	steps := make([]string, 0, len(r.Via)+1)
	for _, state := range append(append([]S{}, r.Via...), r.To) {
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
