package bench

import (
	"net"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// Between the choice of a port and the service's start no other program is handed out the same one.
func TestFreePorts_belowEphemeral(t *testing.T) {
	t.Parallel()
	chosen, err := freePorts(t.Context())
	require.NoError(t, err)
	for _, address := range []string{chosen.public, chosen.rpc, chosen.ops} {
		_, text, err := net.SplitHostPort(address)
		require.NoError(t, err)
		port, err := strconv.Atoi(text)
		require.NoError(t, err)
		require.GreaterOrEqual(t, port, lowestPort)
		require.Less(t, port, ephemeralPorts)
	}
}
