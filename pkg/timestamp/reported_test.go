package timestamp_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/timestamp"
)

// A time that was never set, or is the zero of a clock, is not the time of an event.
func TestCheckReported(t *testing.T) {
	t.Parallel()
	for _, wrong := range []time.Time{{}, time.Unix(0, 0), timestamp.Earliest.Add(-time.Microsecond)} {
		require.Equal(t, []apierr.FieldError{{Field: "paid_at", Code: "range", Message: "is before 2000-01-01T00:00:00Z"}},
			timestamp.CheckReported("paid_at", wrong))
	}
	for _, right := range []time.Time{timestamp.Earliest, timestamp.Earliest.In(time.FixedZone("KST", 9*60*60)), time.Now()} {
		require.Empty(t, timestamp.CheckReported("paid_at", right))
	}
}
