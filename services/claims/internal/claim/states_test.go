package claim_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/machine"
	"sellerapi.dev/pkg/machine/machinetest"
	"sellerapi.dev/services/claims/internal/claim"
)

func TestStatesDocumentIsCurrent(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("<!-- Rendered from states.go and refund.go by go generate. -->\n\n# States of claims and refunds\n\n" +
		"An arrow of the actor `api` is an action that a seller can newly execute; an operator can do it on the seller's behalf.\n\n")
	for _, kind := range claim.Types() {
		b.WriteString(machinetest.Markdown(kind.Machine()) + "\n")
	}
	b.WriteString(machinetest.Markdown(claim.Refunds))
	golden(t, "STATES.md", b.String())
}

// The diagrams of the guides show the paths of a claim of their type.
func TestStates_picturesAreCurrent(t *testing.T) {
	t.Parallel()
	for _, kind := range claim.Types() {
		picture := machinetest.Picture(kind.Machine(), func(machine.Rule[claim.Status, claim.Trigger]) bool { return true })
		golden(t, "../../../../proto/openapi/guides/pictures/"+string(kind)+".svg", picture)
	}
}

// All thirteen states exist, each used by a machine that agrees on whether it is terminal.
func TestStates_allThirteen(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{
		"payment_pending", "requested", "approved", "collecting", "collected", "inspecting", "reshipping", "refund_processing",
		"completed", "rejected", "withdrawn", "expired", "converted_to_return",
	}, invalid.Names(claim.Statuses()))
	for _, status := range claim.Statuses() {
		used := false
		for _, kind := range claim.Types() {
			used = used || kind.Machine().Known(status)
			if kind.Machine().Known(status) {
				require.Equal(t, status.Terminal(), kind.Machine().Terminal(status), status)
			}
		}
		require.True(t, used, status)
	}
	require.False(t, claim.Status("lost").Terminal())
}

// The table of the specification: which actions can be executed depends on type and status
// alone.
func TestAvailableActions_matchSpecification(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, kind := range claim.Types() {
		for _, state := range kind.Machine().States() {
			c := in(t, kind, state.Name)
			b.WriteString(string(kind) + "\t" + string(state.Name) + "\t" + strings.Join(invalid.Names(c.AvailableActions()), " ") + "\n")
		}
	}
	golden(t, "testdata/available.tsv", b.String())
}

func TestEveryClaimCanEnd(t *testing.T) {
	t.Parallel()
	for _, kind := range claim.Types() {
		for _, state := range kind.Machine().States() {
			ends := state.Terminal
			for _, reachable := range machinetest.Reachable(kind.Machine(), state.Name) {
				ends = ends || reachable.Terminal()
			}
			require.True(t, ends, "%s %s", kind, state.Name)
		}
	}
}

// The reason of a claim determines whose fault it is; an unknown reason is the buyer's fault.
func TestFault_decidedByReason(t *testing.T) {
	t.Parallel()
	got := map[claim.Reason]claim.Fault{}
	for _, reason := range claim.Reasons() {
		got[reason] = reason.Fault()
	}
	require.Equal(t, map[claim.Reason]claim.Fault{
		"change_of_mind": "buyer", "defective": "seller", "wrong_delivery": "seller",
		"out_of_stock": "seller", "delayed_by_seller": "seller", "etc": "buyer",
	}, got)
	require.Equal(t, claim.BuyerFault, claim.Reason("unheard").Fault())
}
