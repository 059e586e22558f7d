package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// The statements of a page: the first reports where it was read; the others fail on a replica, one as if it conflicted with the
// replay, one as if it took too long.
const (
	whereRead = "select pg_is_in_recovery()"
	canceled  = "select refused_on_replicas()"
	planned   = "select pg_is_in_recovery() and current_setting('plan_cache_mode') = 'force_custom_plan'"
	slow      = "select pg_is_in_recovery() from (select pg_sleep(case when pg_is_in_recovery() then 60 else 0 end)) s"
)

type replicated struct {
	*pgtest.Pair
	t      *testing.T
	pool   *postgres.Pool
	tel    *telemetry.Telemetry
	seller uuid.UUID
}

func newReplicated(t *testing.T) *replicated {
	t.Helper()
	r := &replicated{Pair: pgtest.NewPair(t, migrations()), t: t, tel: telemetrytest.Discard(t), seller: uuid.New()}
	_, err := r.Pool.Exec(t.Context(), `create function refused_on_replicas() returns boolean language plpgsql as $$
		begin
			if pg_is_in_recovery() then raise 'in the way of the replay' using errcode = '40001'; end if;
			return false;
		end $$`)
	require.NoError(t, err)
	r.pool = r.Replicated(t, r.tel, nil)
	r.changed()
	r.Pause(t)
	r.Resume(t)
	return r
}

func (r *replicated) changed() { tick(r.t, r.Pool, r.seller) }

func (r *replicated) isReplica(seller uuid.UUID, statement string) (is bool) {
	r.t.Helper()
	is, err := postgres.Page(r.t.Context(), r.pool, seller, func(ctx context.Context, db postgres.Querier) (bool, error) {
		rows, _ := db.Query(ctx, statement)
		return pgx.CollectExactlyOneRow(rows, pgx.RowTo[bool])
	})
	require.NoError(r.t, err, statement)
	return is
}

// A page that is read from the replica can be planned for its values as well.
func TestPage_customPlan(t *testing.T) {
	t.Parallel()
	r := newReplicated(t)
	require.False(t, r.isReplica(r.seller, planned))
	isPlanned, err := postgres.Page(t.Context(), r.pool, r.seller, func(ctx context.Context, db postgres.Querier) (bool, error) {
		rows, _ := postgres.WithCustomPlan(db).Query(ctx, planned)
		return pgx.CollectExactlyOneRow(rows, pgx.RowTo[bool])
	})
	require.NoError(t, err)
	require.True(t, isPlanned)
}

func (r *replicated) pages(source string) float64 {
	return testutil.ToFloat64(r.tel.Counter(telemetry.DBPages).WithLabelValues(source))
}

// A page comes from the replica when the replica has all changes of that seller; other sellers' changes do not matter.
func TestPage_behindReplica(t *testing.T) {
	t.Parallel()
	r := newReplicated(t)
	require.True(t, r.isReplica(r.seller, whereRead))
	require.True(t, r.isReplica(uuid.New(), whereRead), "a seller without any change")
	r.Pause(t)
	other := uuid.New()
	tick(t, r.Pool, other)
	require.True(t, r.isReplica(r.seller, whereRead), "another seller's change is irrelevant")
	require.False(t, r.isReplica(other, whereRead), "the replica lacks the seller's first change")
	r.changed()
	require.False(t, r.isReplica(r.seller, whereRead))
	r.Resume(t)
	require.True(t, r.isReplica(r.seller, whereRead))
	require.InDelta(t, 2, r.pages("primary_behind"), 0)
	require.InDelta(t, 4, r.pages("replica"), 0)
	require.Zero(t, r.pages("primary_away"))
}

// The page is returned whatever happens to the replica; a page that was canceled there because of the replay does not affect the
// next.
func TestPage_failingReplica(t *testing.T) {
	t.Parallel()
	r := newReplicated(t)
	require.False(t, r.isReplica(r.seller, canceled))
	require.True(t, r.isReplica(r.seller, whereRead))
	require.False(t, r.isReplica(r.seller, slow))
	require.NoError(t, r.Standby.Kill())
	for range 20 {
		require.False(t, r.isReplica(r.seller, whereRead))
	}
	require.InDelta(t, 22, r.pages("primary_away"), 0)
	require.NoError(t, r.Standby.Restart(t.Context()))
	require.Eventually(t, func() bool { return r.isReplica(r.seller, whereRead) }, time.Minute, 10*time.Millisecond)
}

// A caller that is gone gets a cancellation error, and the replica is not blamed for it.
func TestPage_canceledCaller(t *testing.T) {
	t.Parallel()
	r := newReplicated(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := postgres.Page(ctx, r.pool, r.seller, func(ctx context.Context, db postgres.Querier) (bool, error) {
		cancel()
		_, err := db.Query(ctx, whereRead)
		return false, err
	})
	require.ErrorIs(t, err, context.Canceled)
	require.True(t, r.isReplica(r.seller, whereRead))
}

// An invalid replica URL is a configuration error.
func TestOpenReplica_unreadableURL(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, migrations())
	tel := telemetrytest.Discard(t)
	require.NoError(t, db.Pool.OpenReplica(t.Context(), postgres.ReplicaConfig{}, db.Config, db.Schema, tel))
	require.Nil(t, db.Pool.Replica)
	err := db.Pool.OpenReplica(t.Context(), postgres.ReplicaConfig{URL: secret.New("postgres://%")}, db.Config, db.Schema, tel)
	require.ErrorContains(t, err, "DATABASE_REPLICA_URL")
}
