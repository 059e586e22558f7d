package machine

import (
	"fmt"
	"slices"
)

func (m *Machine[S, T]) check() error {
	seen := map[S]bool{}
	for _, state := range m.states {
		if seen[state.Name] {
			return fmt.Errorf("state %q is defined twice", state.Name)
		}
		seen[state.Name] = true
	}
	if err := m.checkRules(); err != nil {
		return err
	}
	for _, state := range m.states {
		if !state.Terminal && !m.leaves(state.Name) {
			return fmt.Errorf("state %q is not terminal and no rule leaves it", state.Name)
		}
	}
	return nil
}

func (m *Machine[S, T]) checkRules() error {
	type arrow struct {
		from      S
		trigger   T
		actor     string
		condition string
	}
	seen := map[arrow]bool{}
	for _, rule := range m.rules {
		for _, state := range append([]S{rule.From, rule.To}, rule.Via...) {
			if !m.Known(state) {
				return fmt.Errorf("rule %q from %q names the unknown state %q", rule.Trigger, rule.From, state)
			}
		}
		if m.Terminal(rule.From) {
			return fmt.Errorf("rule %q leaves the terminal state %q", rule.Trigger, rule.From)
		}
		key := arrow{rule.From, rule.Trigger, rule.Actor, rule.Condition}
		if seen[key] {
			return fmt.Errorf("rule %q from %q is defined twice", rule.Trigger, rule.From)
		}
		seen[key] = true
	}
	return nil
}

func (m *Machine[S, T]) leaves(state S) bool {
	return slices.ContainsFunc(m.rules, func(rule Rule[S, T]) bool { return rule.From == state })
}
