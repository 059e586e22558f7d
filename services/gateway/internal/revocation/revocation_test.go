package revocation_test

import (
	"context"
	"encoding/base64"
	"errors"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/keystate"
	"sellerapi.dev/services/gateway/internal/ratelimit"
	"sellerapi.dev/services/gateway/internal/revocation"
)

const (
	waitFor = time.Minute
	tick    = 10 * time.Millisecond
)

type memory struct {
	mu        sync.Mutex
	left      []apikey.Key
	recent    []apikey.Key
	published map[uuid.UUID]int
	fail      error // returned by all methods while it is set
}

// Unpublished implements revocation.Store.
func (m *memory) Unpublished(context.Context) ([]apikey.Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]apikey.Key(nil), m.left...), m.fail
}

// PublishedWithin implements revocation.Store.
func (m *memory) PublishedWithin(context.Context, time.Duration) ([]apikey.Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.recent, m.fail
}

// MarkPublished implements revocation.Store.
func (m *memory) MarkPublished(_ context.Context, _, key uuid.UUID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return m.fail
	}
	m.published[key]++
	kept := m.left[:0]
	for _, one := range m.left {
		if one.ID != key {
			kept = append(kept, one)
		}
	}
	m.left = kept
	return nil
}

func (m *memory) set(fail error, left ...apikey.Key) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail, m.left = fail, left
}

func (m *memory) marked() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.published)
}

type fixture struct {
	redis     *redistest.Server
	admitter  *admission.Admitter
	store     *memory
	publisher *revocation.Publisher
}

func setup(t *testing.T, server *redistest.Server, timeout time.Duration) *fixture {
	t.Helper()
	b := on(t, server.Client, timeout)
	b.redis = server
	return b
}

func on(t *testing.T, client goredis.UniversalClient, timeout time.Duration) *fixture {
	t.Helper()
	b := &fixture{store: &memory{published: map[uuid.UUID]int{}}}
	b.admitter = admission.New(client, ratelimit.Config{Timeout: timeout}, idempotency.Config{})
	b.publisher = revocation.New(b.admitter, b.store, telemetrytest.Discard(t).Logger)
	return b
}

// key returns a revoked key: version 1 was active, 2 is not.
func key() apikey.Key {
	return apikey.Key{ID: uuid.New(), SellerID: uuid.New(), Version: 2, RevokedAt: &time.Time{}}
}

// callOf returns a call of a revoked key as a version that was active.
func callOf(key apikey.Key, version int) admission.Call {
	key.Version, key.RevokedAt = version, nil
	return admission.Call{Key: key, Class: operation.Process}
}

// verdict returns the verdict on a call that knows the key as it was before its revocation.
func (b *fixture) verdict(t *testing.T, key apikey.Key) admission.Verdict {
	t.Helper()
	decision, err := b.admitter.Look(t.Context(), callOf(key, 1))
	require.NoError(t, err)
	return decision.Verdict
}

// reading returns the Redis time at which a read of PostgreSQL begins.
func (b *fixture) reading(t *testing.T, key apikey.Key) time.Time {
	t.Helper()
	decision, err := b.admitter.Look(t.Context(), callOf(key, 1))
	require.NoError(t, err)
	return decision.At
}

// refill writes the result of a read from before the revocation, unless that is too old.
func (b *fixture) refill(t *testing.T, key apikey.Key, readAt time.Time) {
	t.Helper()
	err := b.admitter.PutKey(t.Context(), callOf(key, 1).Key, readAt)
	if !errors.Is(err, admission.ErrOldReading) {
		require.NoError(t, err)
	}
}

// The one way to make a revoked key valid again: Redis is emptied after the first write, and a read from before the revocation
// arrives. The second write removes it, before the revocation is reported as certain.
func TestPublish_readingInBetween(t *testing.T) {
	t.Parallel()
	b, k := setup(t, redistest.New(t), waitFor), key()
	readAt := b.reading(t, k)
	done := make(chan error, 1)
	go func() { done <- b.publisher.Publish(t.Context(), k) }()
	require.Eventually(t, func() bool { return b.verdict(t, k) == admission.Revoked }, waitFor, time.Millisecond)
	require.NoError(t, b.redis.Client.FlushDB(t.Context()).Err())
	b.refill(t, k, readAt) // in time, or refused on a slow machine; both are fine
	require.NoError(t, <-done)
	require.Equal(t, admission.Revoked, b.verdict(t, k))
}

func TestPublish_waitsForTheFence(t *testing.T) {
	t.Parallel()
	b, k := setup(t, redistest.New(t), waitFor), key()
	began := time.Now()
	require.NoError(t, b.publisher.Publish(t.Context(), k))
	require.Greater(t, time.Since(began), keystate.Fence)
}

func TestPublish_redisUnavailable(t *testing.T) {
	t.Parallel()
	b, k := setup(t, redistest.Own(t), 100*time.Millisecond), key()
	require.NoError(t, syscall.Kill(b.redis.Process.PID(), syscall.SIGSTOP))
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, b.publisher.Publish(ctx, k), apierr.Unavailable)
	require.Zero(t, b.store.marked())
}

func TestPublish_callerLeaves(t *testing.T) {
	t.Parallel()
	b, k := setup(t, redistest.New(t), waitFor), key()
	ctx, cancel := context.WithTimeout(t.Context(), keystate.Fence/2)
	defer cancel()
	require.ErrorIs(t, b.publisher.Publish(ctx, k), apierr.Unavailable)
	require.Zero(t, b.store.marked())
	require.Equal(t, admission.Revoked, b.verdict(t, k), "the first write succeeded nevertheless")
}

func TestPublish_markFails(t *testing.T) {
	t.Parallel()
	b, k := setup(t, redistest.New(t), waitFor), key()
	away := errors.New("database is unavailable")
	b.store.set(away)
	require.ErrorIs(t, b.publisher.Publish(t.Context(), k), away)
	b.store.set(nil)
	require.NoError(t, b.publisher.Publish(t.Context(), k))
	require.Equal(t, 1, b.store.marked())
}

func (b *fixture) keep(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var keeping sync.WaitGroup
	keeping.Go(func() { b.publisher.Keep(ctx) })
	t.Cleanup(func() { stop(); keeping.Wait() })
}

func TestKeep_publishesLeftoversTogether(t *testing.T) {
	t.Parallel()
	b := setup(t, redistest.New(t), waitFor)
	keys := make([]apikey.Key, 50)
	for i := range keys {
		keys[i] = key()
		b.refill(t, keys[i], time.Time{})
	}
	b.store.set(nil, keys...)
	began := time.Now()
	b.keep(t)
	require.Eventually(t, func() bool { return b.store.marked() == len(keys) }, waitFor, tick)
	require.Less(t, time.Since(began), time.Duration(len(keys))*keystate.Fence, "one common wait for all keys")
	for i, k := range keys {
		require.Equal(t, admission.Revoked, b.verdict(t, k), "key %d", i)
	}
}

// Redis is unavailable when the key is revoked, and the database at the first attempt. The revocation becomes certain without
// intervention.
func TestKeepOutlivesAbsentDependencies(t *testing.T) {
	t.Parallel()
	b, k := setup(t, redistest.Own(t), 100*time.Millisecond), key()
	require.NoError(t, b.redis.Process.Kill())
	b.store.set(errors.New("database is unavailable"))
	b.keep(t)
	b.store.set(nil, k)
	require.NoError(t, b.redis.Process.Restart(t.Context()))
	require.Eventually(t, func() bool { return b.store.marked() == 1 }, waitFor, tick)
	require.Eventually(t, func() bool {
		decision, err := b.admitter.Look(t.Context(), callOf(k, 1))
		return err == nil && decision.Verdict == admission.Revoked
	}, waitFor, tick)
}

// A replica that is promoted may have the key's state before the revocation.
func TestKeep_restoresWhatRedisLost(t *testing.T) {
	t.Parallel()
	b, k := setup(t, redistest.New(t), waitFor), key()
	require.NoError(t, b.publisher.Publish(t.Context(), k))
	require.NoError(t, b.redis.Client.FlushDB(t.Context()).Err())
	b.refill(t, k, time.Time{})
	require.Equal(t, admission.Admitted, b.verdict(t, k))
	b.store.mu.Lock()
	b.store.recent = []apikey.Key{k}
	b.store.mu.Unlock()
	b.keep(t)
	require.Eventually(t, func() bool { return b.verdict(t, k) == admission.Revoked }, waitFor, tick)
}

// A master of a cluster that is away delays the revocations of its own sellers only, both new ones and those that are repeated.
// They follow once it is back.
func TestKeep_oneMasterAway(t *testing.T) {
	t.Parallel()
	cluster := redistest.NewCluster(t, admission.Scripts()...)
	b := on(t, cluster.Client, time.Second)
	const dead = 1
	of := func(away bool) apikey.Key {
		for {
			k := key()
			if (cluster.MasterOf(t, "{"+base64.RawURLEncoding.EncodeToString(k.SellerID[:])+"}") == dead) == away {
				return k
			}
		}
	}
	delayed, published, repeated := of(true), of(false), of(false)
	for _, k := range []apikey.Key{delayed, published, repeated} {
		b.refill(t, k, time.Time{})
		require.Equal(t, admission.Admitted, b.verdict(t, k))
	}
	require.NoError(t, cluster.Masters[dead].Kill())
	b.store.left, b.store.recent = []apikey.Key{delayed, published}, []apikey.Key{of(true), repeated}
	b.keep(t)
	require.Eventually(t, func() bool { return b.store.marked() == 1 }, waitFor, tick)
	require.Equal(t, admission.Revoked, b.verdict(t, published))
	require.Eventually(t, func() bool { return b.verdict(t, repeated) == admission.Revoked }, waitFor, tick)
	require.Equal(t, 1, b.store.marked())
	require.NoError(t, cluster.Masters[dead].Restart(t.Context()))
	require.Eventually(t, func() bool { return b.store.marked() == 2 }, waitFor, tick)
	require.Equal(t, admission.Revoked, b.verdict(t, delayed))
}
