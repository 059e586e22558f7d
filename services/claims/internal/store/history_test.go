package store_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/claims/internal/claim"
)

// The history of a claim has every state that it entered, the parcel of its collection and the steps of its refund, each with the
// party that caused it; what is only registered, and another seller's claim, has none.
func TestHistory_replayGivesPresent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	seller := uuid.New()
	c := b.act(t, b.openOne(t, seller, claim.Return), claim.Approve, claim.Values{})
	c = b.act(t, b.act(t, c, claim.Pickup, hanjin), claim.CollectDone, claim.Values{})
	c = b.act(t, c, claim.Inspect, pass)
	refunds, err := b.store.Refunds(t.Context(), seller, c.No)
	require.NoError(t, err)
	for range 2 { // the second time it is sent already, which is no step
		_, err = b.store.ChangeRefund(t.Context(), seller, c.No, refunds[0].ID, sending)
		require.NoError(t, err)
	}
	_, err = b.store.ChangeRefund(t.Context(), seller, c.No, refunds[0].ID, succeeding)
	require.NoError(t, err)

	history, err := b.store.History(t.Context(), seller, c.No)
	require.NoError(t, err)
	require.Equal(t, c.OrderNo, history.OrderNo)
	said, last := make([]string, 0, len(history.Events)), claim.Status("")
	for _, e := range history.Events {
		said = append(said, fmt.Sprint(e.Kind, " ", e.By, " ", e.KeyPrefix, " ", e.Status, e.Parcel, e.RefundStatus))
		if e.Kind == claim.EventStatus {
			last = e.Status
		}
	}
	require.Equal(t, claim.Completed, last)
	require.Contains(t, said, "status customer  requested")
	require.Contains(t, said, "status api vpk_test_abc approved")
	require.Contains(t, said, "parcel api vpk_test_abc pickup")
	require.Contains(t, said, "refund service  queued")
	require.Equal(t, []string{"refund service  sent", "refund service  succeeded", "status service  completed"}, said[len(said)-3:])
	require.Equal(t, history.Events[len(said)-2].At, history.Events[len(said)-1].At, "of one transaction")
	_, err = b.store.History(t.Context(), uuid.New(), c.No)
	require.ErrorIs(t, err, apierr.ClaimNotFound)
}
