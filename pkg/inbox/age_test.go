package inbox_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/postgres"
)

func (b fixture) letPass(t *testing.T, seller uuid.UUID, before, after time.Duration) {
	t.Helper()
	require.NoError(t, postgres.InTx(t.Context(), b.Pool, func(ctx context.Context, tx pgx.Tx) error {
		return inbox.Age(ctx, tx, seller, postgres.ClockMove{Before: before, After: after})
	}))
}

// When a seller's clock has moved past the retention, the seller's key is answered 410, and no other seller's. Hours that make no
// day yet are not lost for the retention of keys.
func TestAge(t *testing.T) {
	t.Parallel()
	b, key, other := setup(t, inbox.Config{KeysKept: 48 * time.Hour}), newKey(), newKey()
	for _, one := range []inbox.Key{key, other} {
		_, _, err := b.box.Once(t.Context(), one, effect("first", 200, true))
		require.NoError(t, err)
	}
	b.letPass(t, key.Seller, 0, 23*time.Hour)
	_, outcome, err := b.box.Known(t.Context(), key)
	require.NoError(t, err)
	require.True(t, outcome.Replayed)
	require.InDelta(t, time.Hour, outcome.Left, float64(time.Minute))
	b.letPass(t, key.Seller, 23*time.Hour, 25*time.Hour)
	_, _, err = b.box.Once(t.Context(), key, effect("second", 200, true))
	require.ErrorIs(t, err, apierr.IdempotencyResultExpired)
	for hours := 25; hours < 80; hours += 11 {
		b.letPass(t, key.Seller, time.Duration(hours)*time.Hour, time.Duration(hours+11)*time.Hour)
	}
	forget(t, b.box)
	require.Equal(t, 1, b.count(t, "inbox"), "the key is gone too")
	answer, outcome, err := b.box.Once(t.Context(), other, effect("second", 200, true))
	require.NoError(t, err)
	require.True(t, outcome.Replayed)
	require.Equal(t, "first", string(answer.Body))
	require.InDelta(t, 24*time.Hour, outcome.Left, float64(time.Minute))
}
