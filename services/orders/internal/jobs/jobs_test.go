package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/orders/internal/jobs"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
	"sellerapi.dev/services/orders/internal/store"
	"sellerapi.dev/services/orders/internal/store/storetest"
)

// patience is how long a test waits for a job.
const patience = 30 * time.Second

// site is a store whose deliveries set alarms.
type site struct {
	t      *testing.T
	db     *pgtest.DB
	store  *store.Store
	seller uuid.UUID
}

// setup returns a store whose purchases confirm themselves so long after the delivery.
func setup(t *testing.T, confirmAfter time.Duration) *site {
	t.Helper()
	s := &site{t: t, seller: uuid.New()}
	_, s.db = storetest.New(t)
	require.NoError(t, jobs.Migrate(t.Context(), s.db.Config, s.db.Schema))
	alarms, err := jobs.NewAlarms(s.db.Pool, s.db.Schema, telemetry.Discard(t).Logger)
	require.NoError(t, err)
	s.store = store.New(s.db.Pool, order.Terms{ConfirmAfter: confirmAfter, ConfirmAfterClaim: confirmAfter}, alarms)
	return s
}

// run runs the jobs until the end of the test, or until the returned function is called.
func (s *site) run(orders jobs.Orders, tel *telemetry.Telemetry) func() {
	s.t.Helper()
	runner, err := jobs.New(jobs.Config{Pool: s.db.Pool, Schema: s.db.Schema, Orders: orders, Eager: true}, tel)
	require.NoError(s.t, err)
	ctx, stop := context.WithCancel(s.t.Context())
	var running sync.WaitGroup
	running.Go(func() { runner.Run(ctx) })
	end := sync.OnceFunc(func() { stop(); running.Wait() })
	s.t.Cleanup(end)
	return end
}

// delivered places an order and brings its item to the customer.
func (s *site) delivered(no string) {
	s.t.Helper()
	placement := ordertest.New(no, ordertest.Epoch, s.seller)
	_, err := s.store.Place(s.t.Context(), []order.Placement{placement})
	require.NoError(s.t, err)
	call := store.Process{SellerID: s.seller, OrderNo: no, ItemIDs: []string{placement.Parts[0].Lines[0].ID.String()}}
	_, err = s.store.ShipAlone(s.t.Context(), &store.Instant{}, call, carrier.Shipment{Carrier: carrier.Hanjin, TrackingNo: "1"})
	require.NoError(s.t, err)
	require.NoError(s.t, postgres.InTx(s.t.Context(), s.db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		_, err := s.store.Deliver(ctx, tx, call)
		return err
	}))
}

// state is the state of the order's item.
func (s *site) state(no string) order.State {
	found, err := s.store.Find(context.WithoutCancel(s.t.Context()), s.seller, no)
	if err != nil {
		return ""
	}
	return found.Items[0].State
}

// await waits until the order's item is in the state.
func (s *site) await(no string, state order.State) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return s.state(no) == state }, patience, 20*time.Millisecond, no)
}

// count counts jobs.
func (s *site) count(condition string) int {
	s.t.Helper()
	var n int
	require.NoError(s.t, s.db.Pool.QueryRow(s.t.Context(), "select count(*) from river_job where "+condition).Scan(&n))
	return n
}

func TestAPurchaseConfirmsItselfWhenItsAlarmComes(t *testing.T) {
	t.Parallel()
	s := setup(t, 2*time.Second)
	tel := telemetry.Discard(t)
	s.run(s.store, tel)
	s.delivered("O-1")
	require.Equal(t, order.Delivered, s.state("O-1"))
	s.await("O-1", order.Confirmed)
	found, err := s.store.Find(t.Context(), s.seller, "O-1")
	require.NoError(t, err)
	require.False(t, found.Items[0].ConfirmedAt.Before(found.Items[0].DeliveredAt.Add(2*time.Second)), "not before its time")
	require.Eventually(t, func() bool {
		return testutil.ToFloat64(tel.Counter(telemetry.JobRuns).WithLabelValues("confirm_purchase", "done")) == 1
	}, patience, 20*time.Millisecond)
}

// The alarm is part of the delivery: it is there when the delivery is, and gone when the delivery is rolled back.
func TestAnAlarmIsSetWithTheDeliveryOrNotAtAll(t *testing.T) {
	t.Parallel()
	s := setup(t, time.Hour)
	s.delivered("O-1")
	var at time.Time
	require.NoError(t, s.db.Pool.QueryRow(t.Context(), "select scheduled_at from river_job where kind = 'confirm_purchase' and state = 'scheduled'").Scan(&at))
	found, err := s.store.Find(t.Context(), s.seller, "O-1")
	require.NoError(t, err)
	require.Equal(t, found.Items[0].AutoConfirmAt, at.UTC())

	undo := errors.New("undo")
	alarms, err := jobs.NewAlarms(s.db.Pool, s.db.Schema, telemetry.Discard(t).Logger)
	require.NoError(t, err)
	require.ErrorIs(t, postgres.InTx(t.Context(), s.db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		require.NoError(t, alarms.Set(ctx, tx, "O-2", at))
		return undo
	}), undo)
	require.Equal(t, 1, s.count("true"))
}

// All alarms are lost, as for orders that came in with a past. The sweep finds what is due.
func TestTheSweepConfirmsWhatHasNoAlarm(t *testing.T) {
	t.Parallel()
	s := setup(t, time.Nanosecond)
	placements := make([]order.Placement, 30)
	for i := range placements {
		placements[i] = ordertest.New(fmt.Sprintf("O-%d", i), ordertest.Epoch, s.seller)
		ordertest.History(&placements[i].Parts[0].Lines[0], ordertest.Epoch, time.Hour, order.Shipping, order.Delivered)
	}
	_, err := s.store.Place(t.Context(), placements)
	require.NoError(t, err)
	require.Zero(t, s.count("true"))
	s.run(s.store, telemetry.Discard(t))
	for i := range placements {
		s.await(fmt.Sprintf("O-%d", i), order.Confirmed)
	}
}

// A sweep that is done keeps no later one away.
func TestOneSweepIsFollowedByTheNext(t *testing.T) {
	t.Parallel()
	s := setup(t, time.Nanosecond)
	for _, done := range []int{1, 2} {
		end := s.run(s.store, telemetry.Discard(t)) // an instance that begins to lead starts with a sweep
		require.Eventually(t, func() bool {
			return s.count("kind = 'sweep_purchases' and state = 'completed'") == done
		}, patience, 20*time.Millisecond)
		end()
	}
}

// poisoned is a store in which one order fails.
type poisoned struct{ *store.Store }

func (p poisoned) ConfirmDue(ctx context.Context, orderNo string) (int, error) {
	if orderNo == "POISON" {
		return 0, apierr.Internal
	}
	return p.Store.ConfirmDue(ctx, orderNo)
}

func TestAnOrderThatFailsKeepsNoOtherWaiting(t *testing.T) {
	t.Parallel()
	s := setup(t, time.Nanosecond)
	s.delivered("POISON")
	s.delivered("O-1")
	_, err := s.db.Pool.Exec(t.Context(), "delete from river_job")
	require.NoError(t, err)
	tel := telemetry.Discard(t)
	s.run(poisoned{s.store}, tel)
	s.await("O-1", order.Confirmed)
	require.Equal(t, order.Delivered, s.state("POISON"))
	require.Eventually(t, func() bool {
		return testutil.ToFloat64(tel.Counter(telemetry.JobRuns).WithLabelValues("sweep_purchases", "discarded")) == 1
	}, patience, 20*time.Millisecond)
}

func TestAnAlarmOfAnOrderThatIsNotThereIsGivenUp(t *testing.T) {
	t.Parallel()
	s := setup(t, time.Hour)
	alarms, err := jobs.NewAlarms(s.db.Pool, s.db.Schema, telemetry.Discard(t).Logger)
	require.NoError(t, err)
	require.NoError(t, postgres.InTx(t.Context(), s.db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		return alarms.Set(ctx, tx, "UNKNOWN", time.Now().Add(-time.Second))
	}))
	s.run(s.store, telemetry.Discard(t))
	require.Eventually(t, func() bool { return s.count("kind = 'confirm_purchase' and state = 'cancelled'") == 1 }, patience, 20*time.Millisecond)
}

// What is under way is counted for the operator: jobs, orders, purchases that nobody has confirmed.
func TestWhatIsUnderWayIsCounted(t *testing.T) {
	t.Parallel()
	s := setup(t, time.Hour)
	s.delivered("O-1")
	s.delivered("O-2")
	_, err := s.db.Pool.Exec(t.Context(), "update lines set auto_confirm_at = clock_timestamp() - interval '1 hour' where order_id in (select id from orders where order_no = 'O-2')")
	require.NoError(t, err)
	tel := telemetry.Discard(t)
	s.run(asleep{s.store}, tel)
	require.Eventually(t, func() bool {
		return testutil.ToFloat64(tel.Gauge(telemetry.JobsQueued).WithLabelValues("default", "scheduled")) == 2 &&
			testutil.ToFloat64(tel.Gauge(telemetry.OrdersOpen).WithLabelValues("delivered")) == 2 &&
			testutil.ToFloat64(tel.Gauge(telemetry.DeadlineOverdue).WithLabelValues("purchase")) >= 3600
	}, patience, 20*time.Millisecond)
	require.Zero(t, testutil.ToFloat64(tel.Gauge(telemetry.OrdersOpen).WithLabelValues("paid")))
	require.Zero(t, testutil.ToFloat64(tel.Gauge(telemetry.JobsQueued).WithLabelValues("default", "discarded")))
}

// asleep is a store that finds nothing due.
type asleep struct{ *store.Store }

func (asleep) EachDue(context.Context, func(string) error) error { return nil }

// An instance may start before its schema is migrated. Its jobs begin when the tables are there.
func TestJobsBeginWhenTheirTablesAreThere(t *testing.T) {
	t.Parallel()
	s := &site{t: t, seller: uuid.New()}
	s.store, s.db = storetest.New(t)
	s.run(s.store, telemetry.Discard(t))
	require.NoError(t, jobs.Migrate(t.Context(), s.db.Config, s.db.Schema))
	s.store = store.New(s.db.Pool, order.Terms{ConfirmAfter: time.Nanosecond}, nil)
	s.delivered("O-1")
	s.await("O-1", order.Confirmed)
}

func TestManyReplicasMayMigrateAtOnce(t *testing.T) {
	t.Parallel()
	s := &site{t: t}
	_, s.db = storetest.New(t)
	failures := make([]error, 4)
	var running sync.WaitGroup
	for i := range failures {
		running.Go(func() { failures[i] = jobs.Migrate(t.Context(), s.db.Config, s.db.Schema) })
	}
	running.Wait()
	require.NoError(t, errors.Join(failures...))
	require.Zero(t, s.count("true"))
}

// What a connection string says must not come out in an error, because it holds the password.
func TestAnUnreadableConnectionStringIsNotRepeated(t *testing.T) {
	t.Parallel()
	config := pgtest.Config(t)
	config.URL = secret.New("postgres://user:canary@[::1")
	err := jobs.Migrate(t.Context(), config, "orders")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "canary")
}
