package postgres

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Any clock reading between the start and the end of the probe may be exact; only the part outside
// is skew.
func TestSkew_outsideOfProbe(t *testing.T) {
	t.Parallel()
	asked := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	answered := asked.Add(time.Second)
	for there, want := range map[time.Duration]time.Duration{
		-3 * time.Second: 3 * time.Second, 0: 0, time.Second / 2: 0, time.Second: 0, 4 * time.Second: -3 * time.Second,
	} {
		require.Equal(t, want, skewOf(asked, answered, asked.Add(there)), there)
	}
}
