package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

func act(id string) order.Act {
	return order.Act{ID: id, Operator: "operator-1", Reason: "the parcel came back"}
}

// A corrected item shows its new state, and the operator's act is recorded.
func TestCorrect_seenAndActKept(t *testing.T) {
	t.Parallel()
	h := newShop(t).delivered()
	changed, err := h.s.Correct(t.Context(), h.no, h.id(1).String(),
		order.Correction{To: order.Shipping, Parcel: &parcels[1]}, act("a-1"))
	require.NoError(t, err)
	require.True(t, changed)
	item := h.seen(h.a).Items[0]
	require.Equal(t, order.Shipping, item.State)
	require.Equal(t, parcels[1], item.Parcel())
	require.Zero(t, item.DeliveredAt)

	changed, err = h.s.Correct(t.Context(), h.no, h.id(1).String(), order.Correction{To: order.Paid}, act("a-2"))
	require.NoError(t, err)
	require.True(t, changed)
	require.Empty(t, h.seen(h.a).Items[0].CarrierName)

	rows, err := h.db.Pool.Query(t.Context(), `select act_id || ': ' || operator || ', ' || reason || ', ' || from_status || ' '
		|| f.tracking_no ||
		' -> ' || to_status || ' ' || coalesce(t.tracking_no, 'none')
		from operator_acts a join shipments f on f.shipment_id = a.from_shipment_id left join shipments t on t.shipment_id =
		a.to_shipment_id order by act_id`)
	require.NoError(t, err)
	acts, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, []string{
		"a-1: operator-1, the parcel came back, delivered 690000000011 -> shipping 200000000001",
		"a-2: operator-1, the parcel came back, shipping 200000000001 -> paid none",
	}, acts)
	require.Equal(t, 2, h.count("shipments"), "parcels are never changed")
	require.True(t, h.listed(order.Filter{Change: &order.ChangeFilter{
		To: order.Delivered,
		At: order.Range{From: &ordertest.Epoch},
	}}),
		"the history keeps the delivery")
}

// An operator's program repeats a call whose response was lost, perhaps much later, when the seller has already changed the item
// again.
func TestAct_doneOnce(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	back := order.Correction{To: order.Paid}
	for _, id := range []string{"found it so", "changed it"} {
		if id == "changed it" {
			h.must(h.prepare(h.call(1)))
		}
		changed, err := h.s.Correct(t.Context(), h.no, h.id(1).String(), back, act(id))
		require.NoError(t, err)
		require.Equal(t, id == "changed it", changed)
		h.must(h.prepare(h.call(1)))
		h.unmoved(func() error {
			changed, err = h.s.Correct(t.Context(), h.no, h.id(1).String(), back, act(id))
			require.False(t, changed)
			return err
		})
	}
	_, err := h.s.Correct(t.Context(), h.no, h.id(2).String(), back, act("changed it"))
	require.ErrorIs(t, err, order.ErrActTaken)
	_, err = h.s.Correct(t.Context(), h.no, h.id(1).String(), order.Correction{To: order.Preparing}, act("changed it"))
	require.ErrorIs(t, err, order.ErrActTaken)
	_, err = h.s.Correct(t.Context(), h.no, uuid.NewString(), back, act("3"))
	require.ErrorIs(t, err, apierr.OrderItemNotFound)
	_, err = h.s.Correct(t.Context(), "UNKNOWN", h.id(1).String(), back, act("3"))
	require.ErrorIs(t, err, apierr.OrderNotFound)
}

// A customer and an operator confirm purchases; only the operator's act is recorded.
func TestConfirm_customerAndOperator(t *testing.T) {
	t.Parallel()
	h := newShop(t).delivered()
	changed, err := h.s.Confirm(t.Context(), h.no, h.call(1).ItemIDs, nil)
	require.NoError(t, err)
	require.True(t, changed)
	require.Zero(t, h.count("operator_acts"))
	byOperator := act("c-1")
	changed, err = h.s.Confirm(t.Context(), h.no, h.call(1, 2).ItemIDs, &byOperator)
	require.NoError(t, err)
	require.True(t, changed)
	require.Equal(t, 1, h.count("operator_acts"), "the first item is confirmed already")
	for _, item := range h.seen(h.a).Items {
		require.Equal(t, order.Confirmed, item.State)
		require.NotZero(t, item.ConfirmedAt)
	}
	h.unmoved(func() error {
		changed, err = h.s.Confirm(t.Context(), h.no, h.call(1, 2).ItemIDs, &byOperator)
		require.False(t, changed)
		return err
	})
	_, err = h.s.Confirm(t.Context(), h.no, h.call(3).ItemIDs, nil)
	require.ErrorIs(t, err, order.ErrNotConfirmable)
	_, err = h.s.Confirm(t.Context(), "UNKNOWN", h.call(1).ItemIDs, nil)
	require.ErrorIs(t, err, apierr.OrderNotFound)
}

// A forgotten member is anonymised in every order, however many there are, and other members stay.
func TestForget_everyOrderOfMember(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	a, b := uuid.New(), uuid.New()
	placements := make([]order.Placement, 0, 105)
	for i := range 105 {
		placements = append(placements, ordertest.New(fmt.Sprintf("M-%03d", i), ordertest.Epoch, a, b))
	}
	pending := ordertest.New("M-PENDING", time.Time{}, a)
	other := ordertest.New("OTHER", ordertest.Epoch, a)
	other.MemberID = "member-2"
	place(t, s, append(placements, pending, other)...)
	before, err := s.Now(t.Context())
	require.NoError(t, err)

	n, err := s.Forget(t.Context(), "member-1")
	require.NoError(t, err)
	require.Equal(t, 106, n)
	for _, seller := range []uuid.UUID{a, b} {
		for _, o := range walk(t, s, seller, order.Filter{}, 100) {
			require.Equal(t, o.No == "OTHER", o.Contact != order.Contact{}, o.No)
			require.Equal(t, o.No == "OTHER", o.UpdatedAt.Before(before), o.No)
		}
	}
	var left int
	require.NoError(t, db.Pool.QueryRow(t.Context(),
		"select count(*) from orders where num_nonnulls(orderer_name, address1) > 0").Scan(&left))
	require.Equal(t, 1, left, "also in the unpaid order")
	var unpaid *time.Time
	require.NoError(t, db.Pool.QueryRow(t.Context(),
		"select max(updated_at) from seller_orders where paid_at is null").Scan(&unpaid))
	require.Nil(t, unpaid)

	latest := walk(t, s, a, order.Filter{}, 100)[0].UpdatedAt
	n, err = s.Forget(t.Context(), "member-1")
	require.NoError(t, err)
	require.Zero(t, n)
	require.Equal(t, latest, walk(t, s, a, order.Filter{}, 100)[0].UpdatedAt)
	_, err = s.EndPayment(t.Context(), "M-PENDING", order.PaymentPaid, ordertest.Epoch)
	require.NoError(t, err)
	found, err := s.Find(t.Context(), a, "M-PENDING")
	require.NoError(t, err)
	require.Equal(t, order.Contact{}, found.Contact)
}

func pointer(act order.Act) *order.Act { return &act }

// An id that is repeated with other content is an error of the caller's program and must be reported.
func TestAct_idBelongsToOneAct(t *testing.T) {
	t.Parallel()
	h := newShop(t).delivered()
	parcel := func(number string) *carrier.Shipment {
		return &carrier.Shipment{Carrier: carrier.CJLogistics, TrackingNo: carrier.TrackingNo(number)}
	}
	other := order.Correction{To: order.Shipping, Parcel: parcel("688000000001")}
	changed, err := h.s.Correct(t.Context(), h.no, h.id(1).String(), other, act("parcel"))
	require.NoError(t, err)
	require.True(t, changed)
	changed, err = h.s.Correct(t.Context(), h.no, h.id(1).String(), other, act("parcel"))
	require.NoError(t, err)
	require.False(t, changed)
	other.Parcel = parcel("688000000002")
	_, err = h.s.Correct(t.Context(), h.no, h.id(1).String(), other, act("parcel"))
	require.ErrorIs(t, err, order.ErrActTaken)
	_, err = h.s.Confirm(t.Context(), h.no, h.call(2).ItemIDs, pointer(act("parcel")))
	require.ErrorIs(t, err, order.ErrActTaken)

	_, err = h.s.Confirm(t.Context(), h.no, h.call(2).ItemIDs, pointer(act("confirm")))
	require.NoError(t, err)
	_, err = h.s.Confirm(t.Context(), h.no, h.call(2).ItemIDs, pointer(act("confirm")))
	require.NoError(t, err)
	_, err = h.s.Correct(t.Context(), h.no, h.id(1).String(), order.Correction{To: order.Delivered}, act("confirm"))
	require.ErrorIs(t, err, order.ErrActTaken)
}
