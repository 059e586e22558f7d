package postgres_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// A session sees its own schema only and has the configured limits.
func TestOpen_sessionSchemaAndLimits(t *testing.T) {
	t.Parallel()
	db := with(t, func(c *postgres.Config) {
		c.StatementTimeout, c.LockTimeout, c.IdleInTransactionTimeout = 1500*time.Millisecond, 2*time.Second, 3*time.Second
	})
	pool := db.Open(t, telemetrytest.Discard(t))
	for setting, want := range map[string]string{
		"search_path": `"` + db.Schema + `"`, "application_name": "test", "TimeZone": "UTC",
		"statement_timeout": "1500ms", "lock_timeout": "2s", "idle_in_transaction_session_timeout": "3s",
	} {
		require.Equal(t, want, one[string](t, pool, "select current_setting($1)", setting))
	}
}

// Times are read in UTC and with microseconds, also inside arrays.
func TestOpen_timesInUTCMicroseconds(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, nil)
	want := time.Date(2026, 3, 1, 2, 3, 4, 567891000, time.UTC)
	require.Equal(t, want, one[time.Time](t, db.Pool, "select '2026-03-01 11:03:04.567891+09'::timestamptz"))
	require.Equal(t, []time.Time{want}, one[[]time.Time](t, db.Pool, "select array['2026-03-01 11:03:04.567891+09'::timestamptz]"))
}

// A statement that its caller cancels does not cost the pool a connection. The deadline leaves a busy server time to begin it:
// a request to cancel that arrives before has no effect.
func TestPool_canceledStatementKeepsConnection(t *testing.T) {
	t.Parallel()
	db := with(t, func(c *postgres.Config) { c.MaxConns = 1 })
	pool := db.Open(t, telemetrytest.Discard(t))
	before := one[int32](t, pool, "select pg_backend_pid()")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := pool.Exec(ctx, "select pg_sleep(30)")
	require.ErrorIs(t, postgres.Classify(err), apierr.UpstreamTimeout)
	require.Equal(t, before, one[int32](t, pool, "select pg_backend_pid()"))
}

func TestStatements_tracedAndMeasuredByName(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, nil)
	tel, spans := telemetrytest.Recording(t)
	pool := db.Open(t, tel)
	ctx, parent := tel.Tracer("test").Start(t.Context(), "request")
	_, err := pool.Exec(ctx, "-- name: CountNothing\nselect $1::text", "personal datum")
	require.NoError(t, err)
	_, err = pool.Exec(ctx, "select 1")
	require.NoError(t, err)
	parent.End()

	names := map[string]bool{}
	for _, span := range spans.Ended() {
		names[span.Name()] = true
		require.NotContains(t, fmt.Sprint(span.Attributes()), "personal datum")
	}
	require.Contains(t, names, "CountNothing")
	require.Contains(t, names, "unnamed")
	require.Equal(t, map[string]float64{"CountNothing ok": 1, "unnamed ok": 1}, counts(t, tel, telemetry.DBQueryDuration))
}

func TestThePoolIsMeasured(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, nil)
	tel := telemetrytest.Discard(t)
	pool := db.Open(t, tel)
	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	require.Equal(t, map[string]float64{"in_use": 1, "idle": 0, "opening": 0, "max": 24},
		counts(t, tel, telemetry.DBPoolConnections))
	_, err = postgres.Open(t.Context(), db.Config, db.Schema, tel)
	require.Error(t, err, "two pools cannot be told apart in one instance's metrics")
}

// The check fails until the schema exists, and its error names the command to run.
func TestCheck_missingSchema(t *testing.T) {
	t.Parallel()
	config := pgtest.Config(t)
	pool, err := postgres.Open(t.Context(), config, "nowhere", telemetrytest.Discard(t))
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	require.EqualError(t, postgres.Check(pool)(t.Context()), `schema "nowhere" does not exist: run migrate first`)
	require.NoError(t, postgres.Check(pgtest.New(t, nil).Pool)(t.Context()))
}

func TestOpen_transactionPooler(t *testing.T) {
	t.Parallel()
	db := with(t, func(c *postgres.Config) { c.TransactionPooling, c.MaxConns = true, 1 })
	role := createRole(t, db,
		"alter role %[1]s set search_path = %[2]s; grant usage on schema %[2]s to %[1]s; grant all on all tables in schema %[2]s to "+
			"%[1]s")
	pool := db.Open(t, telemetrytest.Discard(t))
	require.ErrorContains(t, postgres.Check(pool)(t.Context()), "does not resolve to schema "+db.Schema)

	db.Config.URL = secret.New(role)
	pool = db.Open(t, telemetrytest.Discard(t))
	require.NoError(t, postgres.Check(pool)(t.Context()))
	for range 2 {
		require.Equal(t, []int64{1, 2}, one[[]int64](t, pool, "select array_agg(n) from unnest($1::bigint[]) n", []int64{1, 2}))
	}
	require.Zero(t, one[int](t, pool, "select count(*) from pg_prepared_statements where name <> ''"))
}

func createRole(t *testing.T, db *pgtest.DB, statements string) string {
	t.Helper()
	role := "r_" + db.Pool.Config().ConnConfig.Database // roles belong to the server, and each test has its own database
	execute(t, db.Pool, fmt.Sprintf("create role %s login password 'secret'", role))
	t.Cleanup(func() {
		execute(t, db.Pool, fmt.Sprintf("drop owned by %[1]s; drop role %[1]s", role))
	})
	execute(t, db.Pool, fmt.Sprintf(statements, role, db.Schema))
	u, err := url.Parse(db.Config.URL.Reveal())
	require.NoError(t, err)
	u.User = url.UserPassword(role, "secret")
	return u.String()
}

// execute runs statements in the simple protocol; the test's context may already be canceled.
func execute(t *testing.T, pool *postgres.Pool, sql string) {
	t.Helper()
	_, err := pool.Exec(context.WithoutCancel(t.Context()), sql, pgx.QueryExecModeSimpleProtocol)
	require.NoError(t, err)
}

// counts returns the values of a metric by their labels: for a gauge its value, for a histogram the number of observations.
func counts(t *testing.T, tel *telemetry.Telemetry, metric telemetry.Metric) map[string]float64 {
	t.Helper()
	families, err := tel.Registry.Gather()
	require.NoError(t, err)
	values := map[string]float64{}
	for _, family := range families {
		if family.GetName() != metric.Name {
			continue
		}
		for _, m := range family.GetMetric() {
			labels := map[string]string{}
			for _, label := range m.GetLabel() {
				labels[label.GetName()] = label.GetValue()
			}
			key := make([]string, 0, len(metric.Labels))
			for _, name := range metric.Labels {
				key = append(key, labels[name])
			}
			values[strings.Join(key, " ")] = m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return values
}

// After a failover to a read-only server, or when an operator made the database read-only because of a full disk, it must not
// look healthy.
func TestCheck_readOnlyDatabase(t *testing.T) {
	t.Parallel()
	config := postgres.Config{URL: pgtest.Database(t)}
	admin, err := postgres.Open(t.Context(), config, "public", telemetrytest.Discard(t))
	require.NoError(t, err)
	t.Cleanup(admin.Close)
	require.NoError(t, postgres.Check(admin)(t.Context()))
	_, err = admin.Exec(t.Context(),
		"alter database "+pgx.Identifier{admin.Config().ConnConfig.Database}.Sanitize()+" set default_transaction_read_only = on")
	require.NoError(t, err)
	pool, err := postgres.Open(t.Context(), config, "public", telemetrytest.Discard(t))
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	require.ErrorIs(t, postgres.Check(pool)(t.Context()), postgres.ErrReadOnly)
	_, err = pool.Exec(t.Context(), "create table public.things (id int)")
	require.ErrorContains(t, err, "25006", "the probe is right")
}

// The database of a test is on the same machine and has the same clock; a slow probe is not skew.
func TestCheck_clockOfDatabase(t *testing.T) {
	t.Parallel()
	tel := telemetrytest.Discard(t)
	pool := pgtest.New(t, migrations()).Open(t, tel)
	require.NoError(t, postgres.Check(pool)(t.Context()))
	require.InDelta(t, 0, testutil.ToFloat64(tel.Gauge(telemetry.ClockSkew)), .01)
}
