package store

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// No statement sees or changes any seller's row if its transaction has no seller, or another one, whatever the statement itself
// says of the seller. Rows that are shared by all sellers of an order belong to no seller.
func TestRowSecurity_everyStatement(t *testing.T) {
	t.Parallel()
	db, recorder := recorded(t)
	const directory, member = "a directory, which says whose something is", "a member belongs to no seller"
	pgtest.RequireRowSecurity(t, db, recorder, whole(), map[string]string{
		"FindSellers": directory, "TakeNumbers": directory, "FindPlaced": directory, "FindTakenItems": directory,
		"TakeItemID":  directory,
		"AwaitNumber": directory, "FindAct": directory, "TakeAct": directory, "OrdersOfMember": directory, "ForgetMember": directory,
		"MemberKey": member, "NoteMembers": member, "ShareMembers": member, "LastWithdrawals": member, "Withdraw": member,
		"AwaitPlacements": member,
		"PlaceItemIDs":    directory, "PlaceMembers": directory, "ForgetContacts": "the contacts are forgotten by now",
	})
}

func recorded(t *testing.T) (*pgtest.DB, *pgtest.Recorder) {
	t.Helper()
	_, db := setup(t)
	pool, recorder := db.Recorded(t)
	h := newShopOn(t, New(pool, order.DefaultTerms()), db)
	h.walkProcess()
	h.walkClaims()
	h.walkMarketplace()
	h.walkLists()
	for _, gauge := range Gauges() {
		require.NoError(t, gauge.Set(t.Context(), postgres.AllSellers(pool), telemetrytest.Discard(t)))
	}
	return db, recorder
}

// whole returns the names of the statements, without those that are parts of others.
func whole() []string {
	return slices.DeleteFunc(queries.Names(), func(name string) bool {
		return slices.Contains([]string{
			"ItemsOfPage", "OrderNumbered", "OrdersChanged", "OrdersPaid", "OrdersToShip", "OwnParts", "AllParts",
		}, name)
	})
}

func (h *shop) ok(err error) {
	h.t.Helper()
	require.NoError(h.t, err)
}

func (h *shop) walkProcess() {
	h.t.Helper()
	h.delivered()
	nowhere := order.ProcessCommand{SellerID: h.a, OrderNo: "NOWHERE", ItemIDs: []string{"x"}}
	h.ok(h.s.SetPolicy(h.t.Context(), h.a, order.Policy{ShipmentCorrection: true}))
	require.True(h.t, h.mayCorrect(h.a))
	_, err := h.s.ShipTogether(h.t.Context(), h.a, inParcel(0, append(h.ordersOf(2), nowhere)...))
	h.ok(err)
	h.no = "O-1"
}

func (h *shop) walkClaims() {
	h.t.Helper()
	ctx := h.t.Context()
	_, err := h.open(h.hold("C-1", order.ClaimExchange, 1))
	h.ok(err)
	h.ok(h.touch(ctx, "C-1", "step", true))
	_, err = h.addExchangeLine(ctx, "C-1", []order.Replacement{{ItemID: h.id(1), OptionName: "L", Paid: 12_400}})
	h.ok(err)
	_, err = h.shipExchangeLine(ctx, "C-1", "", parcels[1])
	h.ok(err)
	h.ok(h.s.Release(ctx, "C-2"))
}

func (h *shop) walkMarketplace() {
	h.t.Helper()
	ctx := h.t.Context()
	_, err := h.s.Now(ctx)
	h.ok(err)
	unpaid := ordertest.New("U-1", time.Time{}, h.a, h.b)
	shipped := ordertest.New("D-1", ordertest.Epoch, h.a)
	ordertest.History(&shipped.Parts[0].Lines[0], ordertest.Epoch, time.Hour, order.Shipping, order.Delivered)
	due := ordertest.New("B-1", ordertest.Epoch, h.a)
	due.Parts[0].Lines[0].ShipBy = ordertest.Epoch
	place(h.t, h.s, unpaid, shipped, due)
	_, err = h.s.Place(ctx, []order.Placement{unpaid})
	h.ok(err)
	_, err = h.s.EndPayment(ctx, "U-1", order.PaymentPaid, ordertest.Epoch)
	h.ok(err)
	_, err = h.s.EndPayment(ctx, "NOWHERE", order.PaymentPaid, ordertest.Epoch)
	require.ErrorIs(h.t, err, apierr.OrderNotFound)
	item := unpaid.Parts[0].Lines[0].ID.String()
	for id, correction := range map[string]order.Correction{
		"a-1": {To: order.Preparing},
		"a-2": {To: order.Shipping, Parcel: &parcels[1]},
	} {
		_, err = h.s.Correct(ctx, "U-1", item, correction, act(id))
		h.ok(err)
		_, err = h.s.Correct(ctx, "U-1", item, correction, act(id))
		h.ok(err)
	}
	_, err = h.s.Forget(ctx, unpaid.MemberID)
	h.ok(err)
	_, err = h.db.Pool.Exec(ctx, "update lines set auto_confirm_at = now() - interval '1 hour' where auto_confirm_at is not null")
	h.ok(err)
	require.NotEmpty(h.t, h.s.due(h.t, 10))
	found, err := h.s.DueOrdersOf(ctx, h.a, time.Now(), 10)
	h.ok(err)
	require.NotEmpty(h.t, found)
	taken, confirmation := act("a-1"), act("a-3")
	_, err = h.s.Confirm(ctx, h.no, []string{h.id(2).String()}, &taken)
	require.ErrorIs(h.t, err, order.ErrActTaken)
	_, err = h.s.Confirm(ctx, h.no, []string{h.id(2).String()}, &confirmation)
	h.ok(err)
}

func (h *shop) walkLists() {
	h.t.Helper()
	since := order.Range{From: &ordertest.Epoch, Until: ptr(ordertest.Epoch.Add(time.Hour))}
	for _, filter := range []order.Filter{
		{},
		{ItemState: order.Confirmed},
		{Paid: since},
		{Change: &order.ChangeFilter{To: order.Paid, At: since}},
		{ShipBy: since.Until},
	} {
		page, err := h.s.List(context.WithoutCancel(h.t.Context()), h.a, filter, nil, 50)
		h.ok(err)
		require.NotEmpty(h.t, page.Rows)
	}
	for _, filter := range []order.Filter{
		{Paid: since}, {Change: &order.ChangeFilter{To: order.Paid, At: since}}, {ShipBy: since.Until},
	} {
		filter.Status = order.StatusCanceled
		page, err := h.s.List(h.t.Context(), h.a, filter, nil, 50)
		h.ok(err)
		require.Empty(h.t, page.Rows, "so that the entries are counted")
	}
	page, err := h.s.Forward(h.t.Context(), h.a, paging.Beginning(), 50)
	h.ok(err)
	require.NotEmpty(h.t, page.Rows)
	private, err := h.s.Private(h.t.Context(), h.a, []uuid.UUID{page.Rows[0].ID})
	h.ok(err)
	require.NotEmpty(h.t, private)
	sellers, _, err := h.s.Changed(h.t.Context(), paging.Beginning(), 50)
	h.ok(err)
	require.NotEmpty(h.t, sellers)
	clocks, err := h.s.Clocks(h.t.Context(), [][]byte{h.a[:]})
	h.ok(err)
	require.Equal(h.t, []int64{page.Clock.UnixMicro()}, clocks)
	_, err = h.s.History(h.t.Context(), h.a, h.no)
	h.ok(err)
	_, err = h.s.Find(h.t.Context(), h.a, h.no)
	h.ok(err)
	_, err = h.s.Find(h.t.Context(), uuid.New(), h.no)
	require.Error(h.t, err)
}
