package machine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/machine"
	"sellerapi.dev/pkg/machine/machinetest"
)

type (
	state   string
	trigger string
)

func sample() *machine.Machine[state, trigger] {
	return machine.New("Sample",
		[]machine.State[state]{
			{Name: "open", Meaning: "one can walk through"},
			{Name: "ajar", Meaning: "moving"},
			{Name: "shut", Meaning: "one can not"},
			{Name: "fixed", Meaning: "it cannot move any more", Terminal: true},
		},
		[]machine.Rule[state, trigger]{
			{From: "open", Trigger: "close", Actor: "guest", Via: []state{"ajar"}, To: "shut"},
			{From: "open", Trigger: "slam", Actor: "wind", To: "shut", Effect: "noise"},
			{From: "ajar", Trigger: "close", Actor: "guest", To: "shut"},
			{From: "shut", Trigger: "open", Actor: "guest", Condition: "unlocked", To: "open"},
			{From: "shut", Trigger: "brick", Actor: "mason", To: "fixed"},
		})
}

// The table defines which triggers a state allows, where they lead, and which states are final or unknown.
func TestMachine_whatMayHappen(t *testing.T) {
	t.Parallel()
	m := sample()
	require.Equal(t, []trigger{"close"}, m.Triggers("open", "guest"))
	require.Equal(t, []trigger{}, m.Triggers("fixed", "guest"))
	require.True(t, m.Can("shut", "brick"))
	require.False(t, m.Can("open", "brick"))
	require.Equal(t, state("shut"), m.Find("open", "close")[0].To)
	require.True(t, m.Terminal("fixed"))
	require.False(t, m.Terminal("shut"))
	require.False(t, m.Terminal("gone"))
	require.False(t, m.Known("gone"))
}

// The reachable states include intermediate ones.
func TestReachable_statesPassedThrough(t *testing.T) {
	t.Parallel()
	require.Equal(t, []state{"open", "ajar", "shut", "fixed"}, machinetest.Reachable(sample(), "shut"))
	require.Empty(t, machinetest.Reachable(sample(), "fixed"))
}

// A contradicting table is a mistake of a developer, so it panics when the program starts.
func TestNew_contradicting(t *testing.T) {
	t.Parallel()
	on, off := machine.State[state]{Name: "on"}, machine.State[state]{Name: "off", Terminal: true}
	rule := machine.Rule[state, trigger]{From: "on", Trigger: "switch", To: "off"}
	for name, table := range map[string]struct {
		states []machine.State[state]
		rules  []machine.Rule[state, trigger]
	}{
		"duplicate state": {[]machine.State[state]{on, on, off}, []machine.Rule[state, trigger]{rule}},
		"unknown state":   {[]machine.State[state]{on}, []machine.Rule[state, trigger]{rule}},
		"duplicate rule":  {[]machine.State[state]{on, off}, []machine.Rule[state, trigger]{rule, rule}},
		"rule from a terminal state": {
			[]machine.State[state]{on, off},
			[]machine.Rule[state, trigger]{rule, {From: "off", Trigger: "switch", To: "on"}},
		},
		"state without a rule": {[]machine.State[state]{on, {Name: "off"}}, []machine.Rule[state, trigger]{rule}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Panics(t, func() { machine.New("Broken", table.states, table.rules) })
		})
	}
}

// The document shows every state and every rule, as tables.
func TestMarkdown_everyStateAndRule(t *testing.T) {
	t.Parallel()
	doc := machinetest.Markdown(sample())
	require.Contains(t, doc, "| `open` | `close` | guest |  | `ajar` → `shut` |  |")
	require.Contains(t, doc, "| `fixed` | it cannot move any more | yes |")
	require.Contains(t, doc, "| `shut` | `brick` |")
}
