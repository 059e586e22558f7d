package claims

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/defaults"
)

// A call that exceeded its deadline while waiting for other services would get a 504, although all of its work continues.
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
