package redistest

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// lease is how long a database stays claimed when its test process was killed.
const lease = 10 * time.Minute

const retryInterval = 50 * time.Millisecond

// claim reserves a database number for one test. The claims are kept in database
// 0 of the server, so that several test processes can share one that was given.
// It waits while all databases are in use.
func claim(tb testing.TB, registry *goredis.Client) int {
	tb.Helper()
	count := databases(tb, registry)
	for {
		for database := 1; database < count; database++ {
			err := registry.SetArgs(tb.Context(), claimKey(database), tb.Name(), goredis.SetArgs{Mode: "NX", TTL: lease}).Err()
			if err == nil {
				return database
			}
			require.ErrorIs(tb, err, goredis.Nil)
		}
		select {
		case <-tb.Context().Done():
			require.NoError(tb, tb.Context().Err(), "all %d databases are in use", count)
		case <-time.After(retryInterval):
		}
	}
}

func release(tb testing.TB, registry *goredis.Client, database int) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), lease)
	defer cancel()
	pipeline := registry.TxPipeline()
	pipeline.Select(ctx, database)
	pipeline.FlushDB(ctx)
	pipeline.Select(ctx, 0)
	pipeline.Del(ctx, claimKey(database))
	_, err := pipeline.Exec(ctx)
	require.NoError(tb, err)
}

func claimKey(database int) string { return fmt.Sprintf("redistest:database:%d", database) }

func databases(tb testing.TB, registry *goredis.Client) int {
	tb.Helper()
	setting, err := registry.ConfigGet(tb.Context(), "databases").Result()
	require.NoError(tb, err)
	count, err := strconv.Atoi(setting["databases"])
	require.NoError(tb, err)
	require.Greater(tb, count, 1, "the server needs a database for the claims and one per test")
	return count
}
