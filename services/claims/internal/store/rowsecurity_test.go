package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

// No statement sees or changes any seller's row if its transaction has no seller, or another one, whatever the statement itself
// says of the seller.
func TestRowSecurity_everyStatement(t *testing.T) {
	t.Parallel()
	db, recorder := recorded(t)
	pgtest.RequireRowSecurity(t, db, recorder, store.QueryNames(), map[string]string{
		"FinishStep":   "its step is deleted already",
		"FreeNumber":   "its number is deleted already",
		"DropEvidence": "the action that it cancels is deleted already",
	})
}

func recorded(t *testing.T) (*pgtest.DB, *pgtest.Recorder) {
	t.Helper()
	db := pgtest.New(t, store.Migrations())
	pool, recorder := db.Recorded(t)
	b := fixture{DB: db, store: store.New(pool)}
	for _, seller := range []uuid.UUID{uuid.New(), uuid.New()} {
		b.walkThrough(t, seller)
	}
	for _, gauge := range store.Gauges() {
		require.NoError(t, gauge.Set(t.Context(), postgres.AllSellers(pool), telemetrytest.Discard(t)))
	}
	return db, recorder
}

func (b fixture) walkThrough(t *testing.T, seller uuid.UUID) {
	t.Helper()
	require.NoError(t, b.store.SetPolicy(t.Context(), seller, claim.Won, claim.Policy{FeeOneWay: 2500}))
	returned := b.change(t, b.openOne(t, seller, claim.Return),
		func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision { return c.Withdraw(now) })
	returned = b.act(t, b.change(t, returned, abandoning), claim.Approve, claim.Values{})
	returned = b.act(t, returned, claim.Pickup, hanjin)
	returned = b.act(t, b.act(t, returned, claim.CollectDone, claim.Values{}), claim.Inspect, pass)
	returned = b.change(t, returned, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return c.Finish([]claim.Settled{{ItemID: c.Items[0].ItemID, SettledItemID: uuid.New()}}, now)
	})
	canceled := b.act(t, b.openOne(t, seller, claim.Cancel), claim.Approve, claim.Values{})
	b.letCome(t)
	refunds, err := b.store.DueRefunds(t.Context(), 10)
	require.NoError(t, err)
	require.NotEmpty(t, refunds)
	_, _, err = b.store.RefundOwner(t.Context(), refunds[0].ID)
	require.NoError(t, err)
	_, err = b.store.Refunds(t.Context(), seller, canceled.No)
	require.NoError(t, err)
	for _, refunding := range []store.Refunding{sending, succeeding} {
		_, err = b.store.ChangeRefund(t.Context(), refunds[0].SellerID, refunds[0].ClaimNo, refunds[0].ID, refunding)
		require.NoError(t, err)
	}
	steps, err := b.store.DueSteps(t.Context(), 10)
	require.NoError(t, err)
	require.NotEmpty(t, steps)
	require.NoError(t, b.store.TakeStep(t.Context(), steps[0]))
	_, _, err = b.store.Pending(t.Context(), seller, returned.No)
	require.NoError(t, err)
	_, err = b.store.History(t.Context(), seller, returned.No)
	require.NoError(t, err)
	_, err = b.store.Seller(t.Context(), returned.No)
	require.NoError(t, err)
	page, err := b.store.List(t.Context(), seller, claim.Filter{}, nil, paging.MaxLimit)
	require.NoError(t, err)
	require.NotEmpty(t, page.Rows)
	forward, err := b.store.Forward(t.Context(), seller, paging.Beginning(), paging.MaxLimit)
	require.NoError(t, err)
	require.NotEmpty(t, forward.Rows)
	of, err := b.store.RefundsOf(t.Context(), seller, []string{canceled.No})
	require.NoError(t, err)
	require.Len(t, of[canceled.No], 1)
	sellers, _, err := b.store.Changed(t.Context(), paging.Beginning(), 10)
	require.NoError(t, err)
	require.NotEmpty(t, sellers)
	clocks, err := b.store.Clocks(t.Context(), [][]byte{seller[:]})
	require.NoError(t, err)
	require.Equal(t, []int64{forward.Clock.UnixMicro()}, clocks)
	second := wanted(seller, claim.Cancel)
	second.OrderNo = canceled.OrderNo
	b.act(t, b.open(t, second), claim.Approve, claim.Values{})
	_, err = b.store.Opened(t.Context(), second)
	require.NoError(t, err)
	b.giveUp(t, second) // a repetition, whose claim exists
	_, err = b.convert(t, b.openOne(t, seller, claim.Exchange), "R-"+seller.String())
	require.NoError(t, err)
	b.leaveUndone(t, seller)
	b.giveUp(t, wanted(seller, claim.Cancel))
	_, err = b.store.DueInspections(t.Context(), 10)
	require.NoError(t, err)
	_, err = b.store.DuePayments(t.Context(), 10)
	require.NoError(t, err)
	b.walkDueOf(t, seller)
}

// walkDueOf looks for all that is due for one seller.
func (b fixture) walkDueOf(t *testing.T, seller uuid.UUID) {
	t.Helper()
	inspections, err := b.store.DueInspectionsOf(t.Context(), seller, time.Now(), 10)
	require.NoError(t, err)
	require.NotEmpty(t, inspections)
	payments, err := b.store.DuePaymentsOf(t.Context(), seller, time.Now(), 10)
	require.NoError(t, err)
	require.NotEmpty(t, payments)
	_, err = b.store.DueRefundsOf(t.Context(), seller, time.Now(), 10)
	require.NoError(t, err)
	_, err = b.store.DueStepsOf(t.Context(), seller, time.Now(), 10)
	require.NoError(t, err)
}

// leaveUndone leaves a refund without a response of the provider, a return to be inspected and a shortfall to be paid, the
// latter two long overdue.
func (b fixture) leaveUndone(t *testing.T, seller uuid.UUID) {
	t.Helper()
	asked := b.act(t, b.openOne(t, seller, claim.Cancel), claim.Approve, claim.Values{})
	refunds, err := b.store.Refunds(t.Context(), seller, asked.No)
	require.NoError(t, err)
	_, err = b.store.ChangeRefund(t.Context(), seller, asked.No, refunds[0].ID, sending)
	require.NoError(t, err)
	c := b.act(t, b.openOne(t, seller, claim.Return), claim.Approve, claim.Values{})
	b.act(t, b.act(t, c, claim.Pickup, hanjin), claim.CollectDone, claim.Values{})
	charged := wanted(seller, claim.Return)
	charged.Reason = claim.ChangeOfMind
	_, err = b.openSold(t, charged, 0, 0)
	require.NoError(t, err)
	w := wanted(seller, claim.Exchange)
	w.Items[0].ExchangeUnitPrice = 6000
	b.open(t, w)
	for _, due := range []string{"inspection_due_at", "payment_due_at"} {
		_, err := b.Pool.Exec(t.Context(), "update claims set "+due+" = now() - interval '1 day' where "+due+" is not null")
		require.NoError(t, err)
	}
}
