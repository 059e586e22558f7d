//go:build citus

package inbox_test

import (
	"context"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry"
)

// Every statement about a key runs on the node of its seller. Those that look for what is past its time use an index on every
// node.
func TestStatements_oneShard(t *testing.T) {
	t.Parallel()
	migrations := fstest.MapFS{"00001_init.sql": {Data: []byte("-- +goose Up\n" + inbox.Schema)}}
	db := pgtest.New(t, migrations)
	pool, recorder := db.Recorded(t)
	box, ctx := inbox.New(pool, inbox.Config{KeysKept: 25 * time.Hour}), t.Context()
	decided, begun := newKey(), newKey()
	_, outcome, err := box.Once(ctx, decided, func(context.Context, pgx.Tx) (inbox.Answer, error) {
		return inbox.Answer{Status: 200, Body: []byte("{}"), Stored: true}, nil
	})
	require.NoError(t, err)
	require.True(t, outcome.Stored)
	_, outcome, err = box.Known(ctx, decided)
	require.NoError(t, err)
	require.True(t, outcome.Replayed)
	_, _, err = box.Begin(ctx, begun)
	require.NoError(t, err)
	require.NoError(t, box.Free(ctx, begun))
	require.NoError(t, postgres.InTx(ctx, pool, func(ctx context.Context, tx pgx.Tx) error {
		return inbox.Age(ctx, tx, decided.Seller, postgres.ClockMove{After: 25 * time.Hour})
	}))
	for _, aged := range []string{
		"update inbox_answers set answered_at = answered_at - interval '3 days'", "update inbox set answered_day = answered_day - 3",
	} {
		_, err := db.Pool.Exec(ctx, aged)
		require.NoError(t, err)
	}
	forget(t, box)
	for _, table := range []string{"inbox", "inbox_answers"} {
		var left int
		require.NoError(t, db.Pool.QueryRow(ctx, "select count(*) from "+table).Scan(&left))
		require.Zero(t, left, table)
	}
	for _, gauge := range box.Gauges() {
		rows, err := postgres.AllSellers(pool).Query(ctx, gauge.SQL, gauge.Args...)
		require.NoError(t, err)
		rows.Close()
	}
	distributedtest.RequireOneShard(t, migrations, recorder, inbox.QueryNames(), map[string]distributedtest.Spread{
		"InboxOldAnswers": distributedtest.Swept("inbox_answers_by_age"),
		"InboxOverdue":    distributedtest.Swept("inbox_answers_by_age"),
		"InboxOldKeys":    distributedtest.Swept("inbox_by_age"),
	})
}

// On several nodes the number of stored keys is not reported, rather than as zero, which the coordinator would say.
func TestGauges_noRowsOnNodes(t *testing.T) {
	t.Parallel()
	db := distributedtest.New(t, fstest.MapFS{"00001_init.sql": {Data: []byte("-- +goose Up\n" + inbox.Schema)}})
	for _, gauge := range inbox.New(db.Pool, inbox.Config{}).Gauges() {
		if gauge.Metric.Name != telemetry.InboxRows.Name {
			continue
		}
		rows, err := db.Pool.Query(t.Context(), gauge.SQL, gauge.Args...)
		require.NoError(t, err)
		require.False(t, rows.Next())
		rows.Close()
		require.NoError(t, rows.Err())
	}
}
