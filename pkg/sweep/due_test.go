package sweep_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// Who runs what is due until nothing was done ends, also when some of it fails or cannot be done yet.
func TestDue(t *testing.T) {
	t.Parallel()
	seller, now, left := uuid.New(), time.Now(), map[string]bool{"done": true, "failing": true, "waiting": true}
	s := finding()
	s.FindOf = func(_ context.Context, of uuid.UUID, at time.Time, _ int) (found []sweep.Item, _ error) {
		require.Equal(t, seller, of)
		require.Equal(t, now, at)
		for key := range left {
			found = append(found, sweep.Item{Key: key, Do: func(context.Context) error {
				switch key {
				case "done":
					delete(left, key)
				case "failing":
					return errAway
				}
				return nil
			}})
		}
		return found, nil
	}
	sweeper := sweep.New(s, telemetrytest.Discard(t))
	for _, wanted := range []int{1, 0} {
		done, err := sweeper.Due(t.Context(), seller, now)
		require.ErrorIs(t, err, errAway)
		require.Equal(t, wanted, done)
	}
	done, err := sweep.New(finding(), telemetrytest.Discard(t)).Due(t.Context(), seller, now)
	require.NoError(t, err)
	require.Zero(t, done, "a sweep that knows no sellers")
}
