package store

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// betweenHalves are calls that begin between the commits of two nodes. Each decides from both halves.
var betweenHalves = map[string]func(h *shop, begin func(seller uuid.UUID) half){
	"home": func(h *shop, begin func(seller uuid.UUID) half) {
		require.NoError(h.t, h.await(h.shipHalf(begin), func() error {
			_, err := h.prepare(h.call(1))
			return err
		}))
		h.requireSecond(statusOf(order.Preparing, order.Paid, order.Shipping), order.Shipping, 1)
	},
	"other seller, again": func(h *shop, begin func(seller uuid.UUID) half) {
		call := order.ProcessCommand{SellerID: h.b, OrderNo: h.no, ItemIDs: []string{h.id(3).String()}}
		require.ErrorIs(h.t, h.await(h.shipHalf(begin), func() error {
			_, err := h.ship(call, parcels[1])
			return err
		}), apierr.ShipmentStateConflict)
		h.requireSecond(statusOf(order.Paid, order.Shipping), order.Shipping, 1)
	},
	"home, what was paid": func(h *shop, begin func(seller uuid.UUID) half) {
		require.NoError(h.t, h.await(h.payHalf(begin), func() error {
			_, err := h.prepare(h.call(1))
			return err
		}))
		h.requireSecond(statusOf(order.Preparing, order.Paid), order.Paid, 0)
	},
}

// A change of a mixed order waits until each part of an earlier change is committed, and decides from all parts as they are then.
func TestLockMixed_waitsForEachPart(t *testing.T) {
	t.Parallel()
	for name, run := range betweenHalves {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newShop(t)
			run(h, h.beginHalf)
		})
	}
}

// drop deletes a seller's part of an order that was just placed, as on a node that has not committed the placement yet.
func (h *shop) drop(seller uuid.UUID, no string) {
	h.t.Helper()
	id := h.orderID(no)
	for _, table := range []string{"status_changes", "lines", "seller_orders", "orders"} {
		h.write(h.db.Pool, "delete from "+table+" where seller_id = $1 and order_id = $2", seller, id)
	}
}

func (h *shop) payment(seller uuid.UUID, no string) (payment order.Payment) {
	h.t.Helper()
	require.NoError(h.t, h.db.Pool.QueryRow(h.t.Context(),
		"select payment from orders where seller_id = $1 and order_no = $2", seller, no).
		Scan(&payment))
	return payment
}

// The payment of an order ends for all its sellers or for none: a part that a node has not committed yet is neither skipped nor
// taken for an order that does not exist. The call can be repeated.
func TestEndPayment_ofUncommittedPart(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	for _, missing := range []uuid.UUID{h.a, h.b} {
		no := "U-" + missing.String()
		place(t, h.s, ordertest.New(no, time.Time{}, h.a, h.b))
		h.drop(missing, no)
		_, err := h.s.EndPayment(t.Context(), no, order.PaymentPaid, ordertest.Epoch)
		require.ErrorIs(t, err, apierr.Unavailable)
	}
	require.Equal(t, order.PaymentPending, h.payment(h.a, "U-"+h.b.String()))
}

// Personal data is deleted in all parts of an order before the member counts as forgotten.
func TestForget_ofUncommittedPart(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	h.drop(h.b, h.no)
	_, err := h.s.Forget(t.Context(), h.placed.MemberID)
	require.ErrorIs(t, err, apierr.Unavailable)
	numbers, err := h.s.ordersOfMember(t.Context(), h.placed.MemberID)
	require.NoError(t, err)
	require.Equal(t, []string{h.no}, numbers)
}

// An order that was placed or paid is not said not to exist where a node has not committed a part of it yet: neither a claim
// nor a customer would try again. One that is unpaid, or of other sellers, does not exist for them.
func TestOpen_ofUncommittedOrder(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	open := func(seller uuid.UUID, no string) error {
		hold := order.Hold{
			ClaimNo: "C-" + no, Type: order.ClaimCancel, SellerID: seller,
			Items: []order.HoldItem{{ItemID: h.id(1), Quantity: 1}},
		}
		_, err := h.s.Open(t.Context(), no, &hold, func(*order.Locked, order.Opened) ([]byte, error) { return nil, nil })
		return err
	}
	confirm := func(no string) error {
		_, err := h.s.Confirm(t.Context(), no, []string{h.id(1).String()}, nil)
		return err
	}
	for _, unpaid := range []string{"U-1", "U-2"} {
		place(t, h.s, ordertest.New(unpaid, time.Time{}, h.a, h.b))
	}
	for name, err := range map[string]error{
		"claim of an unpaid order": open(h.b, "U-1"), "unpaid": confirm("U-1"), "claim of a stranger": open(uuid.New(), h.no),
		"claim of nothing": open(h.a, "NOWHERE"), "nothing": confirm("NOWHERE"),
	} {
		require.ErrorIs(t, err, apierr.OrderNotFound, name)
	}
	h.write(h.db.Pool, "update orders set payment = 'paid', paid_at = $3 where seller_id = $1 and order_id = $2",
		h.a, h.orderID("U-2"),
		ordertest.Epoch)
	place(t, h.s, ordertest.New("O-2", ordertest.Epoch, h.a))
	h.drop(h.a, "O-2")
	for name, err := range map[string]error{
		"claim of an order paid at the home": open(h.b, "U-2"), "claim of a placed order": open(h.a, "O-2"), "placed": confirm("O-2"),
	} {
		require.ErrorIs(t, err, apierr.Unavailable, name)
	}
}

// A claim whose number is known holds items, even if the node of its seller has not committed them yet: a repeated Open and a
// touch do not say that it holds nothing, which the claim would take for final, but are to be repeated.
func TestOpen_ofUncommittedHold(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	calls := map[string]func() error{
		"open": func() error {
			answer, err := h.open(h.hold("C-1", order.ClaimCancel, 1))
			require.Equal(t, err == nil, answer == "paid")
			return err
		},
		"touch": func() error { return h.touch(t.Context(), "C-1", "approve", true) },
	}
	_, err := h.db.Pool.Exec(t.Context(), "insert into hold_numbers (claim_no, seller_id, order_no) values ('C-1', $1, $2)", h.a,
		h.no)
	require.NoError(t, err)
	for name, call := range calls {
		require.ErrorIs(t, call(), apierr.Unavailable, name)
	}
	_, err = h.db.Pool.Exec(t.Context(), "delete from hold_numbers")
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, calls["open"]())
	}
	require.NoError(t, calls["touch"]())
}

// A repeated Open finds the hold where its rows are, even if the node of the claim's number has not committed yet: the items
// are held by this claim and not by another one.
func TestOpen_ofUncommittedNumber(t *testing.T) {
	t.Parallel()
	h := opened(t, order.ClaimCancel, 1)
	_, err := h.db.Pool.Exec(t.Context(), "delete from hold_numbers")
	require.NoError(t, err)
	answer, err := h.open(h.hold("C-1", order.ClaimCancel, 1))
	require.NoError(t, err)
	require.Equal(t, "paid", answer)
	_, err = h.open(h.hold("C-1", order.ClaimCancel, 2))
	require.ErrorIs(t, err, apierr.ClaimNotApprovable)
}

// A repeated placement is answered with all its items, or is to be repeated while a node has not committed some of them.
func TestPlace_ofUncommittedPart(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	h.drop(h.b, h.no)
	_, err := h.s.Place(t.Context(), []order.Placement{h.placed})
	require.ErrorIs(t, err, apierr.Unavailable)
}

// An operator's act that is repeated while the node of its id has not committed it yet is one that was done, not another one.
func TestCorrect_ofUncommittedAct(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	correct := func() (bool, error) {
		return h.s.Correct(t.Context(), h.no, h.id(1).String(), order.Correction{To: order.Preparing}, act("a-1"))
	}
	changed, err := correct()
	require.NoError(t, err)
	require.True(t, changed)
	_, err = h.db.Pool.Exec(t.Context(), "delete from act_ids")
	require.NoError(t, err)
	other := h.beginHalf(h.a)
	_, err = other.Exec(t.Context(), "insert into act_ids (act_id, order_id, to_status) values ('a-1', $1, 'preparing')",
		h.orderID(h.no))
	require.NoError(t, err)
	require.NoError(t, h.await(other, func() error {
		changed, err = correct()
		return err
	}))
	require.False(t, changed)
	require.Equal(t, 1, h.count("operator_acts"))
}

// half of a change of the directories: the numbers of an order and of its claim are not committed yet, everything else is.
func (h *shop) numberHalf() half {
	h.t.Helper()
	other, id := h.beginHalf(h.a), h.orderID(h.no)
	for _, table := range []string{"order_numbers", "hold_numbers"} {
		_, err := h.db.Pool.Exec(h.t.Context(), "delete from "+table)
		require.NoError(h.t, err)
	}
	h.write(other, "insert into order_numbers (order_no, order_id, sellers, content) values ($3, $2, array[$1, $4]::uuid[], '')",
		h.a, id, h.no, h.b)
	_, err := other.Exec(h.t.Context(), "insert into hold_numbers (claim_no, seller_id, order_no) values ('C-1', $1, $2)", h.a, h.no)
	require.NoError(h.t, err)
	return other
}

// The marketplace and claims know numbers from earlier answers. Where the node of a number has not committed it yet, their
// calls wait, and do not say that there is no such order or claim. A number that does not exist is not left behind by the wait.
func TestDirectory_waitsForNumber(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(h *shop, orderNo, claimNo string) error{
		"payment": func(h *shop, orderNo, _ string) error {
			_, err := h.s.EndPayment(h.t.Context(), orderNo, order.PaymentPaid, ordertest.Epoch)
			return err
		},
		"correction": func(h *shop, orderNo, _ string) error {
			_, err := h.s.Correct(h.t.Context(), orderNo, h.id(2).String(), order.Correction{To: order.Preparing}, act("a-1"))
			return err
		},
		"seal":  func(h *shop, _, claimNo string) error { return h.seal(h.t.Context(), claimNo) },
		"touch": func(h *shop, _, claimNo string) error { return h.touch(h.t.Context(), claimNo, "step", true) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := opened(t, order.ClaimCancel, 1)
			require.NoError(t, h.await(h.numberHalf(), func() error { return call(h, h.no, "C-1") }))
			require.Error(t, call(h, "NOWHERE", "C-0"))
			require.Equal(t, []int{1, 1}, []int{h.count("order_numbers"), h.count("hold_numbers")})
		})
	}
}

// An order that a seller has a paid part of exists, even if the node of its home has not committed the payment yet: the call is
// to be repeated.
func TestLockMixed_ofUncommittedHome(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	h.payHalf(h.beginHalf).commit(t)
	h.write(h.db.Pool, "update orders set payment = 'pending', paid_at = null where seller_id = $1 and order_id = $2",
		h.a, h.orderID(h.no))
	call := order.ProcessCommand{SellerID: h.b, OrderNo: h.no, ItemIDs: []string{h.id(2).String()}}
	h.a = h.b // the seller in whose transactions calls run
	_, err := h.prepare(call)
	require.ErrorIs(t, err, apierr.Unavailable)
}
