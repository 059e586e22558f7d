package redis_test

import (
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
)

// path forwards connections to a server, until it loses them: then it keeps those that there are open, and forwards nothing.
type path struct{ lost atomic.Int64 }

// listen returns the address of the path.
func (p *path) listen(t *testing.T, server string) string {
	t.Helper()
	port, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = port.Close() })
	go func() {
		for {
			client, err := port.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = client.Close() })
			to, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server)
			if err != nil {
				continue
			}
			t.Cleanup(func() { _ = to.Close() })
			of := p.lost.Load()
			go p.forward(to, client, of)
			go p.forward(client, to, of)
		}
	}()
	return port.Addr().String()
}

// forward copies pieces while as many connections were lost as when it began.
func (p *path) forward(to io.Writer, from io.Reader, lost int64) {
	piece := make([]byte, 4096)
	for {
		n, err := from.Read(piece)
		if err != nil {
			return
		}
		if p.lost.Load() == lost {
			_, _ = to.Write(piece[:n])
		}
	}
}

// A Redis that was replaced without closing its connections, as after the loss of a node, costs no call once it is back for longer than
// connections may be unused, however many connections were open before.
func TestOpen_lostConnectionsAreNotUsed(t *testing.T) {
	t.Parallel()
	const connections, idle = 8, 200 * time.Millisecond
	server, way := redistest.New(t), &path{}
	address, err := url.Parse(server.Config.URL.Reveal())
	require.NoError(t, err)
	address.Host = way.listen(t, address.Host)
	behind := *server
	behind.Config.URL, behind.Config.IdleTimeout = secret.New(address.String()), idle
	single, ok := behind.Open(t, telemetry.Discard(t)).(*goredis.Client)
	require.True(t, ok)
	pinged := func() (failed int64) {
		var group sync.WaitGroup
		var failures atomic.Int64
		held := make([]*goredis.Conn, connections)
		for n := range held {
			held[n] = single.Conn()
			group.Go(func() {
				if held[n].Ping(t.Context()).Err() != nil {
					failures.Add(1)
				}
			})
		}
		group.Wait()
		for _, conn := range held {
			require.NoError(t, conn.Close())
		}
		return failures.Load()
	}
	require.Zero(t, pinged())
	require.EqualValues(t, connections, single.PoolStats().IdleConns)
	way.lost.Add(1)
	<-time.After(2 * idle)
	require.Zero(t, pinged())
}
