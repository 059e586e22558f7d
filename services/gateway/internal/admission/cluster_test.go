package admission_test

import (
	"context"
	"encoding/base64"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/idempotency"
)

// Everything that Redis stores of a seller is on one node of a cluster, so that a script can use it.
func TestScripts_runOnCluster(t *testing.T) {
	t.Parallel()
	client := redistest.NewCluster(t, admission.Scripts()...).Client
	const sellers = 24
	for range sellers {
		admitter, call := start(t, client)
		read, err := admitter.Charge(t.Context(), call)
		require.NoError(t, err)
		require.Equal(t, admission.Admitted, read.Verdict)
		admitter.Settle(call, &read, 3)
		request := newRequest()
		owner := begin(t, admitter, call, request)
		require.Equal(t, idempotency.New, owner.Begun.Outcome)
		held, err := admitter.Finish(t.Context(), call, owner, request, idempotency.Ending{})
		require.NoError(t, err)
		require.True(t, held)
		keepsAnAnsweredKey(t, admitter, call)
		requireOneSlot(t, client, call.Key.SellerID)
		require.NoError(t, admitter.PutKey(t.Context(), revoked(call.Key), time.Time{}))
		read, err = admitter.Charge(t.Context(), call)
		require.NoError(t, err)
		require.Equal(t, admission.Revoked, read.Verdict)
	}
}

func requireOneSlot(t *testing.T, client *goredis.ClusterClient, seller uuid.UUID) {
	t.Helper()
	var mu sync.Mutex
	slots, kinds := map[int64]bool{}, map[byte]bool{}
	tag := tagOf(seller)
	require.NoError(t, client.ForEachMaster(t.Context(), func(ctx context.Context, master *goredis.Client) error {
		keys, err := master.Keys(ctx, tag+"*").Result()
		for _, key := range keys {
			slot, failed := master.ClusterKeySlot(ctx, key).Result()
			if failed != nil {
				return failed
			}
			mu.Lock()
			slots[slot], kinds[key[len(tag)+1]] = true, true
			mu.Unlock()
		}
		return err
	}))
	require.Len(t, slots, 1)
	require.Equal(t, map[byte]bool{'k': true, 'r': true, 'p': true, 'i': true}, kinds)
}

// tagOf returns the common prefix of all of a seller's Redis keys, by which a cluster assigns them to slots.
func tagOf(seller uuid.UUID) string {
	return "{" + base64.RawURLEncoding.EncodeToString(seller[:]) + "}"
}

// The failure of a master affects only the sellers whose keys it has: their calls are refused because they cannot be counted. All
// others continue, however many calls fail concurrently, and so do these when it is back.
func TestCluster_oneMasterDies(t *testing.T) {
	t.Parallel()
	cluster := redistest.NewCluster(t, admission.Scripts()...)
	admitter := admission.New(cluster.Client, limits, locks)
	t.Cleanup(admitter.Drain)
	const each, dead = 3, 1
	calls := map[int][]admission.Call{}
	for len(calls[0]) < each || len(calls[1]) < each || len(calls[2]) < each {
		key := apikey.Key{SellerID: uuid.New(), ID: uuid.New(), Version: 1}
		master := cluster.MasterOf(t, tagOf(key.SellerID))
		calls[master] = append(calls[master], processCall(admission.Call{Key: key}))
	}
	proceed := func(call admission.Call) error {
		if err := admitter.PutKey(t.Context(), call.Key, time.Time{}); err != nil {
			return err
		}
		decision, err := admitter.Begin(t.Context(), call, newRequest())
		require.Equal(t, err == nil, decision.Verdict == admission.Admitted)
		return err
	}
	for _, ofMaster := range calls {
		for _, call := range ofMaster {
			require.NoError(t, proceed(call))
		}
	}
	require.NoError(t, cluster.Masters[dead].Kill())
	for round := range 30 { // far more than the breaker's threshold
		require.ErrorIs(t, proceed(calls[dead][round%each]), apierr.RateLimitUnavailable)
	}
	for master, ofMaster := range calls {
		if master == dead {
			continue
		}
		for _, call := range ofMaster {
			require.NoError(t, proceed(call))
		}
	}
	require.NoError(t, cluster.Masters[dead].Restart(t.Context()))
	for _, ofMaster := range calls {
		for _, call := range ofMaster {
			require.Eventually(t, func() bool { return proceed(call) == nil }, time.Minute, 50*time.Millisecond)
		}
	}
}
