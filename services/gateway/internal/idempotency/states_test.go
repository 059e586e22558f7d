package idempotency_test

import (
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/machine/machinetest"
	"sellerapi.dev/services/gateway/internal/idempotency"
)

var update = flag.Bool("update", false, "rewrite STATES.md")

// The document of the states is rendered from the table.
func TestStates_documentIsCurrent(t *testing.T) {
	t.Parallel()
	const file = "STATES.md"
	rendered := "# States of an idempotency key\n\nRendered from `states.go` by `go generate`; do not edit.\n\n" +
		machinetest.Markdown(idempotency.States)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(rendered), 0o600))
	}
	current, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, rendered, string(current), "run go generate")
}

// Only the expiry of the stored answer is final; every other state leads to an answer or back to a free key.
func TestStates_everyKeyCanBeDecided(t *testing.T) {
	t.Parallel()
	for _, state := range idempotency.States.States() {
		if state.Terminal {
			require.Equal(t, idempotency.KeyExpired, state.Name)
			continue
		}
		decided := append(machinetest.Reachable(idempotency.States, state.Name), state.Name)
		require.True(t, slices.Contains(decided, idempotency.KeyAnswered), state.Name)
	}
}

// A decided key belongs to its content only, and never becomes free again.
func TestStates_decidedIsNeverFree(t *testing.T) {
	t.Parallel()
	require.True(t, idempotency.States.Can(idempotency.KeyAnswered, idempotency.SendAgain))
	require.True(t, idempotency.States.Can(idempotency.KeyAnswered, idempotency.SendOther))
	require.NotContains(t, machinetest.Reachable(idempotency.States, idempotency.KeyAnswered), idempotency.KeyUnknown)
	require.NotContains(t, machinetest.Reachable(idempotency.States, idempotency.KeyAnswered), idempotency.KeyBegun)
}

// Whatever becomes of the gateway that holds a key, the key does not stay with it: only its own renewals keep a key begun
// without a call of a client, and without them it becomes free.
func TestStates_begunNeedsRenewals(t *testing.T) {
	t.Parallel()
	kept := map[idempotency.Event]string{}
	for _, rule := range idempotency.States.Rules() {
		if rule.From == idempotency.KeyBegun && rule.Actor != "client" && rule.To == idempotency.KeyBegun {
			kept[rule.Trigger] = rule.Actor
		}
	}
	require.Equal(t, map[idempotency.Event]string{idempotency.Renew: "gateway"}, kept)
	require.True(t, idempotency.States.Can(idempotency.KeyBegun, idempotency.LeaseEnds))
}
