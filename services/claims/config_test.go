package claims

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/defaults"
)

// A call that timed out while it waits for others would be answered 504, although all that it asked for goes on.
func TestConfig_times(t *testing.T) {
	t.Parallel()
	config := defaults.Of[Config]()
	require.Equal(t, 3*time.Second, config.times().Inline)
	require.Equal(t, 2*time.Second, config.times().Orders.Timeout)
	for _, call := range []time.Duration{time.Second, time.Minute} {
		config.RPC.Timeout = call
		times := config.times()
		require.Less(t, times.Orders.Timeout, times.Inline)
		require.Less(t, times.Inline, call)
	}
}
