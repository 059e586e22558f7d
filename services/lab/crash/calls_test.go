package crash

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A call that is missing from the table would never be interrupted by a crash. This test injects no faults.
func TestCallTable_complete(t *testing.T) {
	t.Parallel()
	s := newSystem(t, migrated(t)(t))
	trials := make([]*trial, len(actions))
	for i := range actions {
		trials[i] = &trial{action: &actions[i]}
	}
	s.prepare(trials)
	s.proxy.forget()
	s.settle(trials)
	for _, tr := range trials {
		named := map[string]bool{}
		for _, call := range tr.calls {
			named[call] = true
		}
		require.Equal(t, named, s.proxy.calls(tr.no, tr.successor), tr.action.name)
	}
}
