// Package machinetest has what tests of state machines share, and renders the documents that tests keep current.
package machinetest

import (
	"slices"

	"sellerapi.dev/pkg/machine"
)

// Reachable returns every state that can follow the given one, in the order of the states.
func Reachable[S, T ~string](m *machine.Machine[S, T], from S) []S {
	seen := map[S]bool{}
	visit(m, from, seen)
	var reachable []S
	for _, state := range m.States() {
		if seen[state.Name] {
			reachable = append(reachable, state.Name)
		}
	}
	return reachable
}

func visit[S, T ~string](m *machine.Machine[S, T], from S, seen map[S]bool) {
	for _, rule := range m.Rules() {
		if rule.From != from {
			continue
		}
		for _, next := range append(slices.Clone(rule.Via), rule.To) {
			if !seen[next] {
				seen[next] = true
				visit(m, next, seen)
			}
		}
	}
}
