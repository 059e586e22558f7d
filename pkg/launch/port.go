package launch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
)

// The range of ports that ListenFree chooses from. Linux assigns ports from 32768 up to connections and to listeners on
// port 0, other systems from 49152 up.
const lowestPort, ephemeralPorts = 20000, 32768

// ListenFree listens on a free port of the loopback address, below the ports that the system assigns itself. A program that
// is started on the port after the listener was closed therefore does not find it assigned to another program's connection.
func ListenFree(ctx context.Context) (listener net.Listener, err error) {
	for range 100 {
		//nolint:gosec // any port will do
		if listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp",
			address(lowestPort+rand.IntN(ephemeralPorts-lowestPort))); err == nil {
			return listener, nil
		}
	}
	return nil, fmt.Errorf("find a free port: %w", err)
}
