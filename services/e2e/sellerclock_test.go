package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/e2e/stacktest"
)

const day = 24 * time.Hour

// whenOf returns the time that a record shows.
func whenOf(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	require.NoError(t, err)
	return at
}

// noSweeps is a system whose own sweeps find nothing in the time of a test: what happens was done by the call.
func noSweeps(t *testing.T) *session {
	t.Helper()
	own := stacktest.Own(t, func(c *stack.Config) { c.SweepInterval = time.Hour })
	seller := own.Seller(t)
	return &session{Stack: own, seller: seller, client: own.Client(seller.ID)}
}

// When the clock of a seller has moved by eight days, everything that came due in that time has happened: purchases are
// confirmed, goods that were not inspected have passed and their money is refunded, a shortfall that was not paid has ended the
// claim. What happened bears the seller's time. Nothing of another seller's has moved.
func TestSellerClock_everythingDue(t *testing.T) {
	t.Parallel()
	d := noSweeps(t)
	other := d.Seller(t)
	order := d.PlaceNew(t, d.seller.ID, stacktest.InState("delivered"))
	foreign := d.PlaceNew(t, other.ID, stacktest.InState("delivered"))
	collected := d.collectedBefore(t, time.Hour)
	left := d.PlaceNew(t, d.seller.ID, stacktest.InState("delivered"), cheap)
	unpaid := stacktest.NewClaim(stacktest.Return, left, stacktest.Because("etc"))
	d.RequestClaim(t, unpaid)

	d.Advance(t, d.seller.ID, 8*day)

	confirmed := d.order(t, order.GetOrderNo())
	require.Equal(t, "confirmed", confirmed.Items[0].ItemStatus)
	require.WithinDuration(t, time.Now().Add(8*day), whenOf(t, confirmed.UpdatedAt), time.Hour)
	require.Equal(t, "completed", d.client.Claim(t, collected.ClaimNo).Status)
	require.Equal(t, "expired", d.client.Claim(t, unpaid.GetClaimNo()).Status)
	seen := stacktest.RequireOK[stacktest.Order](t, d.Do(t, stacktest.Get(other.Key, "/open/v1/orders/"+foreign.GetOrderNo())))
	require.Equal(t, "delivered", seen.Items[0].ItemStatus)
	require.WithinDuration(t, time.Now(), whenOf(t, seen.UpdatedAt), time.Hour)

	seenUntil := d.client.List(t, "50", "after", "beginning").After
	d.PlaceNew(t, d.seller.ID)
	require.Len(t, d.client.List(t, "50", "after", seenUntil).List, 1, "a poller goes on at the moved time")
}

// A caller that died after it had moved one of the clocks moved the others with its next call, and none twice. What it left due
// is done then.
func TestSellerClock_crash(t *testing.T) {
	t.Parallel()
	d := noSweeps(t)
	order := d.PlaceNew(t, d.seller.ID, stacktest.InState("delivered"))
	d.Clocks(t, d.seller.ID)[0].Advance(8*day, nil)
	require.Equal(t, "delivered", d.order(t, order.GetOrderNo()).Items[0].ItemStatus)
	d.Advance(t, d.seller.ID, 0)
	require.Equal(t, "confirmed", d.order(t, order.GetOrderNo()).Items[0].ItemStatus)
	for _, clock := range d.Clocks(t, d.seller.ID) {
		now, offset := clock.Advance(0, nil)
		require.Equal(t, 8*day, offset)
		require.WithinDuration(t, time.Now().Add(8*day), now, time.Hour)
	}
}

// Without any call, what is due by a moved clock is done as soon as what is due by the wall clock.
func TestSellerClock_swept(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	order := d.PlaceNew(t, d.seller.ID, stacktest.InState("delivered"))
	d.Clocks(t, d.seller.ID)[0].Advance(8*day, nil)
	d.awaitOrder(t, order.GetOrderNo(), "the purchase is confirmed", lineIs("confirmed"))
}

// The stored answer to a request expires by the seller's clock, so that a client can meet the code without waiting for a day.
func TestSellerClock_expiredAnswers(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	d.PermitCorrection(t, d.seller.ID, true)
	calls := processing(d.seller.Key, func(int) string { return stacktest.NewClaimNo() })
	for _, call := range calls {
		require.Contains(t, []int{http.StatusOK, http.StatusNotFound}, d.Do(t, call).Status, call.Path)
	}
	d.Advance(t, d.seller.ID, 25*time.Hour)
	later := d.Through(t, ownRedis(t))
	for _, call := range calls {
		stacktest.RequireFailure(t, later.Do(t, call), http.StatusGone, "IDEMPOTENCY_RESULT_EXPIRED")
	}
}
