package redis_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// A Redis that was replaced without closing its connections, as after the loss of a node, costs no call once it is back for
// longer than connections may be unused, however many connections were open before.
func TestOpen_lostConnectionsAreNotUsed(t *testing.T) {
	t.Parallel()
	const connections, idle = 8, 200 * time.Millisecond
	server := redistest.New(t)
	path := redistest.NewPath(t, server.Config.URL)
	behind := *server
	behind.Config.URL, behind.Config.IdleTimeout = path.URL(), idle
	single, ok := behind.Open(t, telemetrytest.Discard(t)).(*goredis.Client)
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
	path.Block()
	<-time.After(2 * idle)
	require.Zero(t, pinged())
}
