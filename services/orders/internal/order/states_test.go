package order_test

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/machine"
	"sellerapi.dev/pkg/machine/machinetest"
	"sellerapi.dev/services/orders/internal/order"
)

var update = flag.Bool("update", false, "rewrite the rendered documents")

// The states, and the visible ones, are those of the API in its order.
func TestStates_inOrderOfInterface(t *testing.T) {
	t.Parallel()
	require.Equal(t, []order.State{
		"pending", "paid", "preparing", "shipping", "delivered", "confirmed", "canceled", "returned", "exchanged", "failed", "expired",
	}, order.States())
	require.Equal(t, []order.State{
		"paid", "preparing", "shipping", "delivered", "confirmed", "canceled", "returned", "exchanged",
	}, order.VisibleStates())
}

// The diagram of the guides shows what a seller sees of a line, without operators' corrections.
func TestStates_pictureIsCurrent(t *testing.T) {
	t.Parallel()
	picture := machinetest.Picture(order.Items, func(rule machine.Rule[order.State, order.Trigger]) bool {
		return rule.From.Visible() && rule.Actor != "operator"
	})
	const path = "../../../../proto/openapi/guides/pictures/item.svg"
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(picture), 0o644))
	}
	kept, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, picture, string(kept), "run go generate")
}

func TestStates_knownAndTerminal(t *testing.T) {
	t.Parallel()
	terminal := map[order.State]bool{
		order.Confirmed: true, order.Canceled: true, order.Returned: true, order.Exchanged: true,
		order.Failed: true, order.Expired: true,
	}
	for _, state := range order.States() {
		require.True(t, state.Known(), state)
		require.Equal(t, terminal[state], state.Terminal(), state)
	}
	for _, other := range []order.State{"", "PAID", "partially_claimed"} {
		require.False(t, other.Known(), other)
		require.False(t, other.Visible(), other)
		require.False(t, other.Terminal(), other)
	}
}

// The matrix is written out: an accidentally added or lost row would be a state that sellers must not see or cannot reach.
func TestExactlyTheseArrowsExist(t *testing.T) {
	t.Parallel()
	wanted := map[order.State][]order.State{
		order.Pending:   {order.Paid, order.Failed, order.Expired},
		order.Paid:      {order.Preparing, order.Shipping, order.Canceled},
		order.Preparing: {order.Paid, order.Shipping, order.Canceled},
		order.Shipping:  {order.Paid, order.Preparing, order.Delivered},
		order.Delivered: {order.Paid, order.Preparing, order.Shipping, order.Confirmed, order.Returned, order.Exchanged},
	}
	for _, from := range order.States() {
		for _, to := range order.States() {
			require.Equal(t, contains(wanted[from], to), order.Follows(from, to), "%s -> %s", from, to)
		}
	}
}

func TestStates_sellerTransitions(t *testing.T) {
	t.Parallel()
	for _, from := range order.States() {
		var wanted []order.Trigger
		switch from {
		case order.Paid:
			wanted = []order.Trigger{order.Prepare, order.Ship}
		case order.Preparing:
			wanted = []order.Trigger{order.Ship}
		case order.Shipping:
			wanted = []order.Trigger{order.Deliver}
		default:
			wanted = []order.Trigger{}
		}
		require.Equal(t, wanted, order.Items.Triggers(from, "api"), from)
	}
}

// No arrow leaves a terminal state.
func TestStates_terminalHaveNoArrows(t *testing.T) {
	t.Parallel()
	for _, from := range order.States() {
		if from.Terminal() {
			require.Empty(t, machinetest.Reachable(order.Items, from), from)
		}
	}
}

// The document of the states is rendered from the table.
func TestStates_documentIsCurrent(t *testing.T) {
	t.Parallel()
	const file = "STATES.md"
	rendered := "# States of order items\n\nRendered from `states.go` and `arrows.go` by `go generate`; do not edit.\n\n" +
		machinetest.Markdown(order.Items)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(rendered), 0o644))
	}
	current, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, rendered, string(current), "run go generate")
}

func contains(states []order.State, wanted order.State) bool {
	for _, state := range states {
		if state == wanted {
			return true
		}
	}
	return false
}
