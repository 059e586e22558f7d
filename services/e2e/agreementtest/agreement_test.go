package agreementtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// An order that is not as its claim promises is a contradiction, whichever part of it differs.
func TestContradiction(t *testing.T) {
	t.Parallel()
	line := func(status string, held bool) stacktest.Item {
		return stacktest.Item{ItemStatus: status, HasActiveClaim: held}
	}
	standsIn := stacktest.Item{ItemStatus: "paid", IsExchange: true}
	for name, c := range map[string]struct {
		kind, status string
		items        []stacktest.Item
		agrees       bool
	}{
		"rejected, free":       {stacktest.Return, "rejected", []stacktest.Item{line("delivered", false)}, true},
		"rejected, held":       {stacktest.Return, "rejected", []stacktest.Item{line("delivered", true)}, false},
		"completed, unsettled": {stacktest.Cancel, "completed", []stacktest.Item{line("paid", true)}, false},
		"completed, part of the quantity": {
			stacktest.Cancel, "completed",
			[]stacktest.Item{line("paid", false), line("canceled", false)},
			true,
		},
		"reshipping, no replacement line": {stacktest.Exchange, "reshipping", []stacktest.Item{line("delivered", true)}, false},
		"reshipping, replacement line": {
			stacktest.Exchange, "reshipping",
			[]stacktest.Item{line("delivered", true), standsIn},
			true,
		},
		"return of an exchange": {stacktest.Return, "approved", []stacktest.Item{line("delivered", true), standsIn}, true},
		"unknown state":         {stacktest.Return, "lost", []stacktest.Item{line("delivered", true)}, false},
		"order without lines":   {stacktest.Return, "approved", nil, false},
	} {
		problem := Contradiction(&stacktest.Claim{Type: c.kind, Status: c.status}, &stacktest.Order{Items: c.items})
		require.Equal(t, c.agrees, problem == "", "%s: %s", name, problem)
	}
}

// A line may be ahead of its claim while a decision is carried out, and not when nothing is
// left to do.
func TestContradictionAtRest(t *testing.T) {
	t.Parallel()
	claim := &stacktest.Claim{Type: stacktest.Cancel, Status: "refund_processing"}
	order := func(status string, held bool) *stacktest.Order {
		return &stacktest.Order{Items: []stacktest.Item{{ItemStatus: status, HasActiveClaim: held}}}
	}
	settled, waiting := order("canceled", false), order("paid", true)
	require.Empty(t, Contradiction(claim, settled))
	require.NotEmpty(t, ContradictionAtRest(claim, settled))
	require.Empty(t, ContradictionAtRest(claim, waiting))
	require.NotEmpty(t, ContradictionAtRest(&stacktest.Claim{Type: stacktest.Cancel, Status: "lost"}, waiting))
}
