package rest_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/ownertest"
)

// revoke revokes a key of the fixture's seller through this gateway.
func (b *fixture) revoke(ctx context.Context, key apikey.Key) error {
	_, err := b.keys.Revoke(ctx, apikey.RevokeRequest{SellerID: b.seller, KeyID: key.ID, Author: kim})
	return err
}

// Two gateways share the limits on calls.
func TestReplicas_shareLimits(t *testing.T) {
	t.Parallel()
	one := begin(t, setting{limits: published}, http.HandlerFunc(rows))
	gateways := []*fixture{one, one.replica(t)}
	_, text := one.key(t)
	var reads, posts, refusals atomic.Int64
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			sent, admitted := reading(text, "/open/v1/orders?limit=1&rows=1"), &reads
			if i%4 < 2 {
				sent, admitted = posting(text, uuid.NewString(), prepare("O-1")+"?rows=1", "{}"), &posts
			}
			switch got, err := gateways[i%2].try(t.Context(), sent); {
			case err == nil && got.status == http.StatusOK:
				admitted.Add(1)
			case err == nil && got.status == http.StatusTooManyRequests:
				refusals.Add(1)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 60, reads.Load())
	require.EqualValues(t, 30, posts.Load())
	require.EqualValues(t, 110, refusals.Load())
}

// Two gateways share idempotency keys: a key that is in use at one is busy at the other.
func TestReplicas_shareIdempotencyKeys(t *testing.T) {
	t.Parallel()
	reached, goOn := make(chan struct{}), make(chan struct{})
	one, o := owned(t, setting{limits: plenty}, inbox.Config{}, func(point ownertest.Point, _ string) {
		if point == ownertest.BeforeCommit {
			close(reached)
			<-goOn
		}
	})
	other := one.replica(t)
	_, text := one.key(t)
	sent := posting(text, "key", prepare(ownertest.Success), "{}")
	done := make(chan answer, 1)
	go func() { got, _ := one.try(t.Context(), sent); done <- got }()
	<-reached
	refused(t, other.send(t, sent), http.StatusConflict, "IDEMPOTENCY_IN_PROGRESS")
	close(goOn)
	first := <-done
	replayed(t, first, other.send(t, sent))
	refused(t, other.post(t, text, "key", prepare("other"), "{}"), http.StatusConflict, "IDEMPOTENCY_KEY_REUSED")
	require.Equal(t, 1, o.effects(t))
}

// A replica that has just used the key, and caches everything about it, refuses it from the next call on.
func TestRevocation_everyReplicaAtOnce(t *testing.T) {
	t.Parallel()
	one := begin(t, setting{limits: plenty}, http.HandlerFunc(rows))
	gateways := []*fixture{one, one.replica(t), one.replica(t)}
	for _, flushed := range []string{"never", "before", "after"} {
		key, text := one.key(t)
		for _, gateway := range gateways {
			require.Equal(t, http.StatusOK, gateway.send(t, reading(text, "/open/v1/orders?rows=1")).status)
		}
		if flushed == "before" {
			one.flush(t)
		}
		require.NoError(t, gateways[1].revoke(t.Context(), key))
		if flushed == "after" {
			one.flush(t)
		}
		for _, gateway := range gateways {
			refused(t, gateway.send(t, reading(text, "/open/v1/orders?rows=1")), http.StatusUnauthorized, "INVALID_API_KEY")
			refused(t, gateway.post(t, text, "key", prepare("O-1"), "{}"), http.StatusUnauthorized, "INVALID_API_KEY")
		}
	}
}

// storm is many clients that use one key on several gateways, and a Redis that is emptied again and again.
type storm struct {
	revoked atomic.Bool
	stop    atomic.Bool
	wrong   chan string // responses to calls that were sent after the revocation, other than 401
	after   atomic.Int64
	wg      sync.WaitGroup
}

func (s *storm) client(ctx context.Context, gateway *fixture, sent call) {
	for !s.stop.Load() {
		late := s.revoked.Load()
		got, err := gateway.try(ctx, sent)
		if !late {
			continue
		}
		s.after.Add(1)
		if err != nil || got.status != http.StatusUnauthorized {
			select {
			case s.wrong <- string(got.body):
			default:
			}
		}
	}
}

// Calls make gateways read the key again whenever Redis has lost it. None of these reads from before the revocation may make
// the key valid again after it.
func TestRevocation_olderReadingsChangeNothing(t *testing.T) {
	t.Parallel()
	one := begin(t, setting{limits: plenty}, http.HandlerFunc(rows))
	gateways := []*fixture{one, one.replica(t)}
	for range 4 {
		key, text := one.key(t)
		s := &storm{wrong: make(chan string, 1)}
		for i := range 8 {
			s.wg.Go(func() { s.client(t.Context(), gateways[i%2], reading(text, "/open/v1/orders?rows=1")) })
		}
		s.wg.Go(func() {
			for !s.stop.Load() {
				_ = one.redis.Client.FlushDB(t.Context()).Err()
			}
		})
		err := gateways[0].revoke(t.Context(), key)
		s.revoked.Store(true)
		require.Eventually(t, func() bool { return s.after.Load() > 200 || len(s.wrong) > 0 }, 2*waitFor, tick)
		s.stop.Store(true)
		s.wg.Wait()
		require.NoError(t, err)
		require.Empty(t, s.wrong)
	}
}
