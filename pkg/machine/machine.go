// Package machine implements state machines as data.
//
// A machine is a table of rules: from which state which trigger leads where, which actor fires it and under which condition.
// Code asks the table which transitions are allowed, documents are rendered from it and tests walk it, so that the three cannot
// disagree and a change of behaviour is a change of one row.
//
// The package decides nothing about conditions and effects: it names them for the reader and leaves them to the rules
// of the service that owns the table.
package machine

import (
	"fmt"
	"slices"
)

// State is one state of a machine.
type State[S ~string] struct {
	Name S
	// Meaning is one short phrase for the reader.
	Meaning string
	// Terminal states are never left.
	Terminal bool
}

// Rule is one transition of a machine.
type Rule[S, T ~string] struct {
	From    S
	Trigger T
	// Actor fires the trigger, such as "api", "customer", "operator" or "service".
	Actor string
	// Condition, for the reader, is what must hold besides the state. Rules that share From and Trigger differ in it.
	Condition string
	// Via are intermediate states that are passed through, and recorded, in the same step.
	Via []S
	To  S
	// Effect, for the reader, describes side effects.
	Effect string
}

// Machine is a validated table. It is immutable and safe for concurrent use.
type Machine[S, T ~string] struct {
	name   string
	states []State[S]
	rules  []Rule[S, T]
}

// New checks the table and returns the machine. It panics on an inconsistent table, which is a programming error that
// the first test must find: an unknown or duplicate state, a duplicate rule, a rule that
// leaves a terminal state, a state that is not terminal and has no rule.
func New[S, T ~string](name string, states []State[S], rules []Rule[S, T]) *Machine[S, T] {
	m := &Machine[S, T]{name: name, states: slices.Clone(states), rules: slices.Clone(rules)}
	if err := m.check(); err != nil {
		panic(fmt.Sprintf("machine %s: %v", name, err))
	}
	return m
}

// Name returns the name that the machine was made with.
func (m *Machine[S, T]) Name() string { return m.name }

// States returns all states in the order of the table.
func (m *Machine[S, T]) States() []State[S] { return slices.Clone(m.states) }

// Rules returns all rules in the order of the table.
func (m *Machine[S, T]) Rules() []Rule[S, T] { return slices.Clone(m.rules) }

// Find returns the transitions of the trigger from the state, in the order of the table.
func (m *Machine[S, T]) Find(from S, trigger T) []Rule[S, T] {
	var found []Rule[S, T]
	for _, rule := range m.rules {
		if rule.From == from && rule.Trigger == trigger {
			found = append(found, rule)
		}
	}
	return found
}

// Can reports whether the trigger has a transition from the state, under any condition.
func (m *Machine[S, T]) Can(from S, trigger T) bool {
	return slices.ContainsFunc(m.rules, func(r Rule[S, T]) bool { return r.From == from && r.Trigger == trigger })
}

// Triggers returns the triggers that the actor can fire in the state, each once, in the order of the table.
func (m *Machine[S, T]) Triggers(from S, actor string) []T {
	triggers := []T{}
	for _, rule := range m.rules {
		if rule.From == from && rule.Actor == actor && !slices.Contains(triggers, rule.Trigger) {
			triggers = append(triggers, rule.Trigger)
		}
	}
	return triggers
}

// Known reports whether the machine has the state.
func (m *Machine[S, T]) Known(state S) bool {
	return slices.ContainsFunc(m.states, func(s State[S]) bool { return s.Name == state })
}

// Terminal reports whether the state is never left. An unknown state is not terminal.
func (m *Machine[S, T]) Terminal(state S) bool {
	return slices.ContainsFunc(m.states, func(s State[S]) bool { return s.Name == state && s.Terminal })
}
