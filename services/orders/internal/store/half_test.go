package store

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// executor executes a statement.
type executor interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// half is a seller's half of a change of a mixed order: written, not committed yet, while the other seller's half is committed, as between
// the commits of two nodes of a distributed database.
type half interface {
	executor
	// prepare ends the writing.
	prepare(t *testing.T)
	// waits reports whether a statement waits for the half.
	waits(t *testing.T) bool
	// commit commits the half.
	commit(t *testing.T)
}

// openHalf is a half in an open transaction of one PostgreSQL, whose locks are those of a prepared one.
type openHalf struct {
	pgx.Tx

	pid int
	db  rowQuerier
}

// rowQuerier queries one row.
type rowQuerier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// blocks reports whether a statement waits for the session with the id; 0 stands for prepared transactions.
func blocks(t *testing.T, db rowQuerier, pid int) (waits bool) {
	t.Helper()
	require.NoError(t, db.QueryRow(t.Context(), `select exists (select from pg_stat_activity
		where datname = current_database() and $1 = any (pg_blocking_pids(pid)))`, pid).Scan(&waits))
	return waits
}

func (o openHalf) prepare(*testing.T) {}

func (o openHalf) waits(t *testing.T) bool {
	t.Helper()
	return blocks(t, o.db, o.pid)
}

func (o openHalf) commit(t *testing.T) {
	t.Helper()
	require.NoError(t, o.Commit(t.Context()))
}

// beginHalf begins a half on the database of the shop.
func (h *shop) beginHalf(uuid.UUID) half {
	h.t.Helper()
	tx, err := h.db.Pool.Begin(h.t.Context())
	require.NoError(h.t, err)
	h.t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(h.t.Context())) }) // a test that failed has not committed it
	o := openHalf{Tx: tx, db: h.db.Pool}
	require.NoError(h.t, tx.QueryRow(h.t.Context(), "select pg_backend_pid()").Scan(&o.pid))
	return o
}

// orderID returns the id of an order.
func (h *shop) orderID(no string) (id uuid.UUID) {
	h.t.Helper()
	require.NoError(h.t, h.db.Pool.QueryRow(h.t.Context(), "select order_id from order_numbers where order_no = $1", no).Scan(&id))
	return id
}

// write executes a statement whose first arguments are a seller and the id of an order.
func (h *shop) write(into executor, statement string, seller, id uuid.UUID, more ...any) {
	h.t.Helper()
	_, err := into.Exec(h.t.Context(), statement, append([]any{seller, id}, more...)...)
	require.NoError(h.t, err)
}

// stampHalf writes what a change writes for each seller of an order.
func (h *shop) stampHalf(into executor, seller, id uuid.UUID, status order.Status, states ...order.State) {
	h.t.Helper()
	h.write(into, `update seller_orders set order_status = $3, line_states = $4, updated_at = $5, paid_at = $6
		where seller_id = $1 and order_id = $2`, seller, id, statusCode(status), stateBits(order.SetOf(states...)), time.Now(), ordertest.Epoch)
}

// shipHalf is the half of the second seller who ships its item.
func (h *shop) shipHalf(begin func(seller uuid.UUID) half) half {
	h.t.Helper()
	id, status := h.orderID(h.no), statusOf(order.Paid, order.Shipping)
	h.stampHalf(h.db.Pool, h.a, id, status, order.Paid)
	other, parcel := begin(h.b), uuid.New()
	h.write(other, "insert into shipments (seller_id, order_id, shipment_id, carrier_name, tracking_no) values ($1, $2, $3, $4, $5)",
		h.b, id, parcel, string(parcels[0].Carrier), string(parcels[0].TrackingNo))
	h.write(other, `update lines set item_status = 'shipping', shipment_id = $3, shipped_at = clock_timestamp()
		where seller_id = $1 and order_id = $2`, h.b, id, parcel)
	h.stampHalf(other, h.b, id, status, order.Shipping)
	return other
}

// payHalf places an unpaid order, and is the half of the second seller while it is paid.
func (h *shop) payHalf(begin func(seller uuid.UUID) half) half {
	h.t.Helper()
	h.no = "O-2"
	h.placed = ordertest.New(h.no, time.Time{}, h.a, h.b)
	place(h.t, h.s, h.placed)
	id := h.orderID(h.no)
	pay := func(into executor, seller uuid.UUID) {
		h.write(into, "update orders set payment = 'paid', paid_at = $3 where seller_id = $1 and order_id = $2", seller, id, ordertest.Epoch)
		h.write(into, "update lines set item_status = 'paid' where seller_id = $1 and order_id = $2", seller, id)
		h.stampHalf(into, seller, id, order.StatusPaid, order.Paid)
	}
	pay(h.db.Pool, h.a)
	other := begin(h.b)
	pay(other, h.b)
	return other
}

// statusOf is the status of an order with items in these states.
func statusOf(states ...order.State) order.Status {
	status, _ := order.RollUp(order.SetOf(states...))
	return status
}

// requireSecond fails unless the second seller sees its item in the state, in the first parcel if it has one, and the order in the
// status, and has that many parcels.
func (h *shop) requireSecond(status order.Status, state order.State, parcelCount int) {
	h.t.Helper()
	seen, err := h.s.Find(h.t.Context(), h.b, h.no)
	require.NoError(h.t, err)
	require.Equal(h.t, status, seen.Status)
	require.Equal(h.t, state, seen.Items[0].State)
	var states int16
	var found int
	require.NoError(h.t, h.db.Pool.QueryRow(h.t.Context(), "select line_states from seller_orders where seller_id = $1 and order_id = $2",
		h.b, h.orderID(h.no)).Scan(&states))
	require.Equal(h.t, stateBits(order.SetOf(state)), states)
	require.NoError(h.t, h.db.Pool.QueryRow(h.t.Context(), "select count(*) from shipments where seller_id = $1 and order_id = $2",
		h.b, h.orderID(h.no)).Scan(&found))
	require.Equal(h.t, parcelCount, found)
	if parcelCount > 0 {
		require.Equal(h.t, string(parcels[0].TrackingNo), seen.Items[0].TrackingNo)
	}
}

// await returns the result of a call that begins while a half is not committed. The call must wait for the half, which is then committed.
func (h *shop) await(other half, call func() error) error {
	h.t.Helper()
	other.prepare(h.t)
	done := make(chan error, 1)
	go func() { done <- call() }()
	require.Eventually(h.t, func() bool { return len(done) > 0 || other.waits(h.t) }, time.Minute, 10*time.Millisecond, "the call waits")
	require.Empty(h.t, done, "the call waits")
	other.commit(h.t)
	return <-done
}

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
		call := Process{SellerID: h.b, OrderNo: h.no, ItemIDs: []string{h.id(3).String()}}
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

// payment returns a seller's copy of the payment of an order.
func (h *shop) payment(seller uuid.UUID, no string) (payment order.Payment) {
	h.t.Helper()
	require.NoError(h.t, h.db.Pool.QueryRow(h.t.Context(), "select payment from orders where seller_id = $1 and order_no = $2", seller, no).
		Scan(&payment))
	return payment
}

// The payment of an order ends for all its sellers or for none: a part that a node has not committed yet is neither skipped nor taken
// for an order that does not exist. The call can be repeated.
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

// An order that was placed or paid is not said not to exist where a node has not committed a part of it yet: neither a claim nor a
// customer would try again. One that is unpaid, or of other sellers, does not exist for them.
func TestOpen_ofUncommittedOrder(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	open := func(seller uuid.UUID, no string) error {
		hold := order.Hold{ClaimNo: "C-" + no, Type: order.ClaimCancel, SellerID: seller, Items: []order.HoldItem{{ItemID: h.id(1), Quantity: 1}}}
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
	h.write(h.db.Pool, "update orders set payment = 'paid', paid_at = $3 where seller_id = $1 and order_id = $2", h.a, h.orderID("U-2"),
		ordertest.Epoch)
	place(t, h.s, ordertest.New("O-2", ordertest.Epoch, h.a))
	h.drop(h.a, "O-2")
	for name, err := range map[string]error{
		"claim of an order paid at the home": open(h.b, "U-2"), "claim of a placed order": open(h.a, "O-2"), "placed": confirm("O-2"),
	} {
		require.ErrorIs(t, err, apierr.Unavailable, name)
	}
}

// A claim whose number is known holds items, even if the node of its seller has not committed them yet: a repeated Open and a check do not
// say that it holds nothing, which the claim would take for final, but are to be repeated.
func TestOpen_ofUncommittedHold(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	var look order.Hold
	calls := map[string]func() error{
		"open": func() error {
			answer, err := h.open(h.hold("C-1", order.ClaimCancel, 1))
			require.Equal(t, err == nil, answer == "paid")
			return err
		},
		"look": func() error {
			return h.s.Look(t.Context(), "C-1", func(_ *order.Locked, hold *order.Hold) { look = *hold })
		},
	}
	_, err := h.db.Pool.Exec(t.Context(), "insert into hold_numbers (claim_no, seller_id, order_no) values ('C-1', $1, $2)", h.a, h.no)
	require.NoError(t, err)
	for name, call := range calls {
		require.ErrorIs(t, call(), apierr.Unavailable, name)
	}
	_, err = h.db.Pool.Exec(t.Context(), "delete from hold_numbers")
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, calls["open"]())
	}
	require.NoError(t, calls["look"]())
	require.Equal(t, order.HoldActive, look.State)
}

// A repeated Open finds the hold where its rows are, even if the node of the claim's number has not committed yet: the items are held by
// this claim and not by another one.
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
	_, err = other.Exec(t.Context(), "insert into act_ids (act_id, order_id, to_status) values ('a-1', $1, 'preparing')", h.orderID(h.no))
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
	h.write(other, "insert into order_numbers (order_no, order_id, sellers, content) values ($3, $2, array[$1, $4]::uuid[], '')", h.a, id, h.no, h.b)
	_, err := other.Exec(h.t.Context(), "insert into hold_numbers (claim_no, seller_id, order_no) values ('C-1', $1, $2)", h.a, h.no)
	require.NoError(h.t, err)
	return other
}

// The marketplace and claims know numbers from earlier answers. Where the node of a number has not committed it yet, their calls wait, and
// do not say that there is no such order or claim. A number that does not exist is not left behind by the wait.
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
		"seal":  func(h *shop, _, claimNo string) error { return h.s.Seal(h.t.Context(), claimNo) },
		"touch": func(h *shop, _, claimNo string) error { return h.s.Touch(h.t.Context(), claimNo, "step") },
		"look": func(h *shop, _, claimNo string) error {
			return h.s.Look(h.t.Context(), claimNo, func(*order.Locked, *order.Hold) {})
		},
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

// An order that a seller has a paid part of exists, even if the node of its home has not committed the payment yet: the call is to be
// repeated.
func TestLockMixed_ofUncommittedHome(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	h.payHalf(h.beginHalf).commit(t)
	h.write(h.db.Pool, "update orders set payment = 'pending', paid_at = null where seller_id = $1 and order_id = $2", h.a, h.orderID(h.no))
	call := Process{SellerID: h.b, OrderNo: h.no, ItemIDs: []string{h.id(2).String()}}
	h.a = h.b // the seller in whose transactions calls run
	_, err := h.prepare(call)
	require.ErrorIs(t, err, apierr.Unavailable)
}
