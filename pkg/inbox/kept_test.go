package inbox_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// A key is kept for years, so its row and its entries in both indexes count: 125 bytes at most, at any number of keys. The keys
// of five sellers alternate and are inserted at random places among the existing ones, as digests are.
func TestSchema_bytesOfAKey(t *testing.T) {
	t.Parallel()
	b := setup(t, inbox.Config{})
	for _, keys := range []int{200_000, 300_000} {
		_, err := b.Pool.Exec(t.Context(), `
			insert into inbox (seller_id, digest, fingerprint)
			select md5((n % 5)::text)::uuid, ('x' || md5(n::text))::bit(64)::bigint, substr(decode(md5('content' || n), 'hex'), 1, 5)
			from generate_series((select count(*) from inbox) + 1, $1) n`, keys)
		require.NoError(t, err)
		var each float64
		require.NoError(t, b.Pool.QueryRow(t.Context(),
			"select pg_total_relation_size('inbox')::float8 / count(*) from inbox").Scan(&each))
		require.LessOrEqual(t, each, 125.0, keys)
		t.Logf("%d keys: %.1f bytes each", keys, each)
	}
}

func (b fixture) age(t *testing.T, key inbox.Key, days int) {
	t.Helper()
	for _, statement := range []string{
		"update inbox set answered_day = answered_day - $2 where seller_id = $1",
		"update inbox_answers set answered_at = answered_at - $2 * interval '1 day' where seller_id = $1",
	} {
		_, err := b.Pool.Exec(t.Context(), statement, key.Seller, days)
		require.NoError(t, err)
	}
}

// A key is known for exactly the configured time, or without limit if none is configured. After that it is a new key.
func TestForget_keysKept(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		kept   time.Duration
		days   int
		failed error
	}{
		"unlimited retention":  {days: 4000, failed: apierr.IdempotencyResultExpired},
		"within the retention": {kept: 240 * time.Hour, days: 9, failed: apierr.IdempotencyResultExpired},
		"after the retention":  {kept: 240 * time.Hour, days: 12},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, key := setup(t, inbox.Config{KeysKept: test.kept}), newKey()
			_, _, err := b.box.Once(t.Context(), key, effect("first", 200, true))
			require.NoError(t, err)
			b.age(t, key, test.days)
			forget(t, b.box)
			_, outcome, err := b.box.Once(t.Context(), key, effect("second", 200, true))
			require.ErrorIs(t, err, test.failed)
			require.Equal(t, test.failed != nil, outcome.Expired)
		})
	}
}

// A key is free after its time even if its answer could not be deleted before.
func TestSweeps_keyWithAnswer(t *testing.T) {
	t.Parallel()
	b, key := setup(t, inbox.Config{KeysKept: 48 * time.Hour}), newKey()
	_, _, err := b.box.Once(t.Context(), key, effect("first", 200, true))
	require.NoError(t, err)
	b.age(t, key, 5)
	_, err = sweep.New(b.box.Sweeps()[1], telemetrytest.Discard(t)).Once(t.Context())
	require.NoError(t, err)
	require.Zero(t, b.count(t, "inbox"))
	answer, outcome, err := b.box.Once(t.Context(), key, effect("second", 200, true))
	require.NoError(t, err)
	require.True(t, outcome.Stored)
	require.Equal(t, "second", string(answer.Body))
}

// A key that was begun and never decided is no exception, and for one that was decided late the time begins at the decision.
func TestForget_keysInSteps(t *testing.T) {
	t.Parallel()
	b, begun, decided := setup(t, inbox.Config{KeysKept: 48 * time.Hour}), newKey(), newKey()
	for _, key := range []inbox.Key{begun, decided} {
		_, _, err := b.box.Begin(t.Context(), key)
		require.NoError(t, err)
		b.age(t, key, 5)
	}
	_, _, err := b.box.Keep(t.Context(), decided, inbox.Answer{Status: 200, Body: []byte("done"), Stored: true})
	require.NoError(t, err)
	forget(t, b.box)
	require.Equal(t, 1, b.count(t, "inbox"))
	_, outcome, err := b.box.Known(t.Context(), decided)
	require.NoError(t, err)
	require.True(t, outcome.Replayed)
}

// The last stored byte of key and content is compared as well as the first.
func TestOnce_everyKeptByteCounts(t *testing.T) {
	t.Parallel()
	b, key := setup(t, inbox.Config{}), newKey()
	_, _, err := b.box.Once(t.Context(), key, effect("first", 200, true))
	require.NoError(t, err)
	for _, last := range []struct{ digest, fingerprint int }{{0, 0}, {7, 4}} {
		other := key
		other.Fingerprint[last.fingerprint] ^= 0x80
		_, _, err = b.box.Once(t.Context(), other, effect("other content", 200, true))
		require.ErrorIs(t, err, apierr.IdempotencyKeyReused)
		other = key
		other.Digest[last.digest] ^= 0x80
		_, outcome, err := b.box.Once(t.Context(), other, effect("other key", 200, true))
		require.NoError(t, err)
		require.False(t, outcome.Replayed)
	}
	other := key
	other.Seller = uuid.New()
	_, outcome, err := b.box.Once(t.Context(), other, effect("other seller", 200, true))
	require.NoError(t, err)
	require.False(t, outcome.Replayed)
}

func TestConfig_Validate(t *testing.T) {
	t.Parallel()
	for kept, wanted := range map[time.Duration]error{
		0: nil, 25 * time.Hour: nil, 8760 * time.Hour: nil,
		24 * time.Hour: inbox.ErrKeysKept, time.Second: inbox.ErrKeysKept, -time.Hour: inbox.ErrKeysKept,
	} {
		require.ErrorIs(t, (&inbox.Config{KeysKept: kept}).Validate(), wanted, kept)
	}
}
