package store

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

type executor interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// half is a seller's half of a change of a mixed order: written, not committed yet, while the other seller's half is committed,
// as between the commits of two nodes of a distributed database.
type half interface {
	executor
	// prepare ends the writing.
	prepare(t *testing.T)
	waits(t *testing.T) bool
	commit(t *testing.T)
}

// openHalf is a half in an open transaction of one PostgreSQL, whose locks are those of a prepared one.
type openHalf struct {
	pgx.Tx

	pid int
	db  rowQuerier
}

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

func (h *shop) beginHalf(uuid.UUID) half {
	h.t.Helper()
	tx, err := h.db.Pool.Begin(h.t.Context())
	require.NoError(h.t, err)
	h.t.Cleanup(func() { _ = tx.Rollback(context.WithoutCancel(h.t.Context())) }) // a test that failed has not committed it
	o := openHalf{Tx: tx, db: h.db.Pool}
	require.NoError(h.t, tx.QueryRow(h.t.Context(), "select pg_backend_pid()").Scan(&o.pid))
	return o
}

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
		where seller_id = $1 and order_id =
		$2`, seller, id, statusCode(status), stateBits(order.SetOf(states...)), time.Now(), ordertest.Epoch)
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
		h.write(into, "update orders set payment = 'paid', paid_at = $3 where seller_id = $1 and order_id = $2",
			seller, id, ordertest.Epoch)
		h.write(into, "update lines set item_status = 'paid' where seller_id = $1 and order_id = $2", seller, id)
		h.stampHalf(into, seller, id, order.StatusPaid, order.Paid)
	}
	pay(h.db.Pool, h.a)
	other := begin(h.b)
	pay(other, h.b)
	return other
}

func statusOf(states ...order.State) order.Status {
	status, _ := order.RollUp(order.SetOf(states...))
	return status
}

// requireSecond fails unless the second seller sees its item in the state, in the first parcel if it has one, and the order in
// the status, and has that many parcels.
func (h *shop) requireSecond(status order.Status, state order.State, parcelCount int) {
	h.t.Helper()
	seen, err := h.s.Find(h.t.Context(), h.b, h.no)
	require.NoError(h.t, err)
	require.Equal(h.t, status, seen.Status)
	require.Equal(h.t, state, seen.Items[0].State)
	var states int16
	var found int
	require.NoError(h.t, h.db.Pool.QueryRow(h.t.Context(),
		"select line_states from seller_orders where seller_id = $1 and order_id = $2",
		h.b, h.orderID(h.no)).Scan(&states))
	require.Equal(h.t, stateBits(order.SetOf(state)), states)
	require.NoError(h.t, h.db.Pool.QueryRow(h.t.Context(), "select count(*) from shipments where seller_id = $1 and order_id = $2",
		h.b, h.orderID(h.no)).Scan(&found))
	require.Equal(h.t, parcelCount, found)
	if parcelCount > 0 {
		require.Equal(h.t, string(parcels[0].TrackingNo), seen.Items[0].TrackingNo)
	}
}

// await returns the result of a call that begins while a half is not committed. The call must wait for the half, which is then
// committed.
func (h *shop) await(other half, call func() error) error {
	h.t.Helper()
	other.prepare(h.t)
	done := make(chan error, 1)
	go func() { done <- call() }()
	require.Eventually(h.t, func() bool { return len(done) > 0 || other.waits(h.t) }, time.Minute,
		10*time.Millisecond, "the call waits")
	require.Empty(h.t, done, "the call waits")
	other.commit(h.t)
	return <-done
}
