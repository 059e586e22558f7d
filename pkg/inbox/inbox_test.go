package inbox_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

type fixture struct {
	*pgtest.DB
	box *inbox.Box
}

func setup(t *testing.T, config inbox.Config) fixture {
	t.Helper()
	db := pgtest.New(t, fstest.MapFS{"00001_init.sql": {Data: []byte(
		"-- +goose Up\n" + inbox.Schema + "create table effects (id bigint generated always as identity, what text not null);")}})
	return fixture{DB: db, box: inbox.New(db.Pool, config)}
}

func effect(what string, status int, stored bool) inbox.Run {
	return func(ctx context.Context, tx pgx.Tx) (inbox.Answer, error) {
		_, err := tx.Exec(ctx, "insert into effects (what) values ($1)", what)
		return inbox.Answer{Status: status, Body: []byte(what), Stored: stored}, err
	}
}

func (b fixture) count(t *testing.T, table string) int {
	t.Helper()
	var n int
	require.NoError(t, b.Pool.QueryRow(t.Context(), "select count(*) from "+table).Scan(&n))
	return n
}

func newKey() inbox.Key {
	return inbox.Key{Seller: uuid.New(), Digest: inbox.Digest(uuid.New()), Fingerprint: inbox.Fingerprint(uuid.New())}
}

func TestOnce_concurrentRequests(t *testing.T) {
	t.Parallel()
	b, key := setup(t, inbox.Config{}), newKey()
	var wg sync.WaitGroup
	answers, failures := make([]string, 40), make([]error, 40)
	for i := range answers {
		wg.Go(func() {
			answer, _, err := b.box.Once(t.Context(), key, effect(fmt.Sprint("answer ", i), 200, true))
			answers[i], failures[i] = string(answer.Body), err
		})
	}
	wg.Wait()
	for i := range answers {
		require.NoError(t, failures[i])
		require.Equal(t, answers[0], answers[i])
	}
	require.Equal(t, 1, b.count(t, "effects"))
	require.Equal(t, 1, b.count(t, "inbox_answers"))
}

func TestRetention_keyGoneSweptOrNot(t *testing.T) {
	t.Parallel()
	b, key := setup(t, inbox.Config{Retention: time.Millisecond}), newKey()
	_, _, err := b.box.Once(t.Context(), key, effect("first", 200, true))
	require.NoError(t, err)
	expired := func() {
		_, outcome, err := b.box.Once(t.Context(), key, effect("second", 200, true))
		require.ErrorIs(t, err, apierr.IdempotencyResultExpired)
		require.True(t, outcome.Expired)
	}
	require.Eventually(t, func() bool {
		forget(t, b.box)
		return b.count(t, "inbox_answers") == 0
	}, time.Minute, 5*time.Millisecond)
	expired()
	require.Equal(t, 1, b.count(t, "inbox"))
	require.Equal(t, 1, b.count(t, "effects"))
}

func TestForget_whatIsOldAndAllOfIt(t *testing.T) {
	t.Parallel()
	b := setup(t, inbox.Config{KeysKept: 48 * time.Hour})
	_, err := b.Pool.Exec(t.Context(), `
		insert into inbox_answers
		select gen_random_uuid(), n, now() - n * interval '1 minute', 200, '' from generate_series(1, 3000) n`)
	require.NoError(t, err)
	_, err = b.Pool.Exec(t.Context(), `
		insert into inbox
		select seller_id, digest, floor(extract(epoch from now()) / 86400) - 18262 - digest / 500, '12345' from
		inbox_answers`) // days 0 to 6
	require.NoError(t, err)
	requireReported(t, b, 3000, (3000-1440)*60)
	forget(t, b.box)
	requireReported(t, b, 1439, 0)
	require.Equal(t, 1439, b.count(t, "inbox_answers"), "one answer a minute for a day, without the oldest")
	require.Equal(t, 1499, b.count(t, "inbox"), "the keys of three days")
}

// A backlog is deleted without a pause, whether it is of few sellers or of many; nothing is left to do then.
func TestSweeps_backlog(t *testing.T) {
	t.Parallel()
	b := setup(t, inbox.Config{})
	sweeper := sweep.New(b.box.Sweeps()[0], telemetrytest.Discard(t))
	for _, sellers := range []int{7, 1200} {
		_, err := b.Pool.Exec(t.Context(), `
			insert into inbox_answers
			select md5((n % $1)::text)::uuid, n, now() - interval '2 days', 200, '' from generate_series(1, 1200) n`, sellers)
		require.NoError(t, err)
		for _, wanted := range []bool{true, true, false, false} {
			more, err := sweeper.Once(t.Context())
			require.NoError(t, err)
			require.Equal(t, wanted, more, sellers)
		}
		require.Zero(t, b.count(t, "inbox_answers"))
	}
}

// forget runs the sweeps until there is nothing left for them.
func forget(t *testing.T, box *inbox.Box) {
	t.Helper()
	for _, one := range box.Sweeps() {
		sweeper := sweep.New(one, telemetrytest.Discard(t))
		for more := true; more; {
			var err error
			more, err = sweeper.Once(t.Context())
			require.NoError(t, err)
		}
	}
}

func requireReported(t *testing.T, b fixture, answers, overdueSeconds float64) {
	t.Helper()
	_, err := b.Pool.Exec(t.Context(), "analyze inbox, inbox_answers")
	require.NoError(t, err)
	tel := telemetrytest.Discard(t)
	for _, gauge := range b.box.Gauges() {
		require.NoError(t, gauge.Set(t.Context(), b.Pool, tel))
	}
	require.InDelta(t, answers, testutil.ToFloat64(tel.Gauge(telemetry.InboxRows).WithLabelValues("answers")), 1)
	require.Positive(t, testutil.ToFloat64(tel.Gauge(telemetry.InboxRows).WithLabelValues("keys")))
	require.InDelta(t, overdueSeconds, testutil.ToFloat64(tel.Gauge(telemetry.DeadlineOverdue).WithLabelValues("answer")), 120)
}

// A header is parsed as it was written, and anything else is refused.
func TestHeader_roundTripAndForgeries(t *testing.T) {
	t.Parallel()
	key := newKey()
	header := inbox.FormatHeader(key.Digest, key.Fingerprint)
	parsed, err := inbox.ParseHeader(key.Seller, header)
	require.NoError(t, err)
	require.Equal(t, key, parsed)
	for _, wrong := range []string{
		"", " ", header[:64], header + "0", strings.ReplaceAll(header, " ", ""),
		strings.Repeat("g", 32) + " " + strings.Repeat("0", 32), strings.Repeat("0", 32) + " " + strings.Repeat("g", 32),
	} {
		_, err := inbox.ParseHeader(key.Seller, wrong)
		require.Error(t, err, wrong)
	}
}

func TestOutcomeSurvivesTheHeader(t *testing.T) {
	t.Parallel()
	for _, outcome := range []inbox.Outcome{
		{}, {Expired: true}, {Stored: true, Left: 24 * time.Hour}, {Stored: true, Replayed: true, Left: 17 * time.Second},
	} {
		require.Equal(t, outcome, inbox.ParseOutcome(outcome.String()))
	}
	for _, wrong := range []string{"stored", "stored x", "stored -1", "other 3"} {
		require.Equal(t, inbox.Outcome{}, inbox.ParseOutcome(wrong))
	}
}
