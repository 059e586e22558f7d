package launch

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
)

// The ports that ListenFree chooses from. Linux assigns ports from 32768 on to connections and to listeners on port 0, other systems from
// 49152 on.
const lowestPort, ephemeralPorts = 20000, 32768

// ListenFree listens on a free port of the loopback address, below those that the system assigns by itself. So a program that is started on
// the port after the listener was closed does not find it assigned to a connection of another program.
func ListenFree(ctx context.Context) (listener net.Listener, err error) {
	for range 100 {
		//nolint:gosec // any port will do
		if listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", address(lowestPort+rand.IntN(ephemeralPorts-lowestPort))); err == nil {
			return listener, nil
		}
	}
	return nil, fmt.Errorf("find a free port: %w", err)
}
