package launch

import (
	"net"
	"testing"

	"github.com/stretchr/testify/require"
)

// Between the choice of a port and the start of the program that listens on it, the system does not assign the
// port to another program.
func TestListenFree_belowEphemeral(t *testing.T) {
	t.Parallel()
	for range 20 {
		listener, err := ListenFree(t.Context())
		require.NoError(t, err)
		defer func() { _ = listener.Close() }()
		port := listener.Addr().(*net.TCPAddr).Port
		require.GreaterOrEqual(t, port, lowestPort)
		require.Less(t, port, ephemeralPorts)
	}
}
