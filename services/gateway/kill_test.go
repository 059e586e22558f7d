package gateway_test

import (
	"context"
	"fmt"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/gateway/internal/ownertest"
)

// operations are one with a body and one without, which net/http would send again by itself.
func operations(name string) map[string][2]string {
	return map[string][2]string{
		"with a body":    {"/open/v1/orders/" + name + "/preparation", "{}"},
		"without a body": {"/open/v1/claims/" + name + "/approve", ""},
	}
}

// once asserts that a key has had one effect, and that its answer does not change any more, whether or not Redis
// remembers it.
func (s *site) once(key, path, body string, first reply, before int) {
	s.t.Helper()
	require.Equal(s.t, before+1, s.effects())
	for gateway := range s.gateways {
		again, _ := s.settled(gateway, key, path, body)
		require.Equal(s.t, first.body, again.body)
		require.True(s.t, again.replayed)
		s.flush()
	}
	require.Equal(s.t, before+1, s.effects())
}

// The service dies at every point of a process call, Redis forgets or not: one effect, and the first answer for whoever
// asks again.
func TestAServiceKilledAtAnyPointHasOneEffect(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, point := range ownertest.Points() {
		for _, flushed := range []bool{false, true} {
			for kind, o := range operations(diesAt(point)) {
				path, body := o[0], o[1]
				key, before := fmt.Sprint(point, flushed, kind), s.effects()
				got, err := s.post(t.Context(), 0, key, path, body)
				require.NoError(t, err)
				require.Equal(t, http.StatusServiceUnavailable, got.status, got.body)
				require.Equal(t, "1", got.header.Get("Retry-After"))
				<-s.owner.Ended()
				if flushed {
					s.flush()
				}
				s.owner.Start()
				answer, took := s.settled(1, key, path, body)
				require.Less(t, took, lockTime, "the gateway lived on and gave the key back")
				require.Equal(t, point == ownertest.BeforeAnswer, answer.replayed)
				s.once(key, path, body, answer, before)
				s.forget(diesAt(point))
			}
		}
	}
}

// interrupted sends a process call to the first gateway, kills that at the point, and starts another one in its place.
func (s *site) interrupted(point ownertest.Point, key, path, body string) {
	s.t.Helper()
	name := waitsAt(point)
	done := make(chan error, 1)
	go func() {
		_, err := s.post(context.WithoutCancel(s.t.Context()), 0, key, path, body)
		done <- err
	}()
	s.await(name + markReached)
	s.gateways[0].Kill()
	require.Error(s.t, <-done)
	require.True(s.t, mark(s.folder, name+markGoOn))
	s.gateways[0].Start()
}

// The gateway dies while the service is at every point of a process call. Its lock on the key ends by itself, or with
// the memory of Redis.
func TestAGatewayKilledAtAnyPointGivesTheKeyBackInTime(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, point := range ownertest.Points() {
		for _, flushed := range []bool{false, true} {
			for kind, o := range operations(waitsAt(point)) {
				path, body := o[0], o[1]
				key, before := fmt.Sprint(point, flushed, kind), s.effects()
				s.interrupted(point, key, path, body)
				if flushed {
					s.flush()
				}
				answer, took := s.settled(1, key, path, body)
				require.Less(t, took, lockTime+generous)
				s.once(key, path, body, answer, before)
				s.forget(waitsAt(point))
			}
		}
	}
}

// generous is what a loaded machine may take beside.
const generous = 5 * time.Second

// While a key is held by a gateway that died, other requests are told to come again, and nothing else.
func TestAKeyWhoseGatewayDiedIsInProgressUntilItsLockEnds(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	path := operations(waitsAt(ownertest.BeforeKey))["with a body"][0]
	s.interrupted(ownertest.BeforeKey, "key", path, "{}")
	ctx, cancel := context.WithTimeout(t.Context(), waitFor)
	defer cancel()
	busy := 0
	for {
		got, err := s.post(ctx, 1, "key", path, "{}")
		require.NoError(t, err)
		if got.status == http.StatusOK {
			break
		}
		busy++
		require.Equal(t, http.StatusConflict, got.status)
		require.Contains(t, got.body, "IDEMPOTENCY_IN_PROGRESS")
		require.Equal(t, "1", got.header.Get("Retry-After"))
	}
	require.Positive(t, busy)
	require.Equal(t, 1, s.effects())
}

// The gateway has the answer, Redis does not take it, and the gateway dies before its client hears anything.
func TestAGatewayKilledBetweenTheAnswerAndItsClientLosesNothing(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	name := waitsAt(ownertest.BeforeAnswer)
	for kind, o := range operations(name) {
		path, body := o[0], o[1]
		before := s.effects()
		done := make(chan error, 1)
		go func() {
			_, err := s.post(context.WithoutCancel(t.Context()), 0, kind, path, body)
			done <- err
		}()
		s.await(name + markReached)
		require.NoError(t, syscall.Kill(s.redis.Process.PID(), syscall.SIGSTOP))
		require.True(t, mark(s.folder, name+markGoOn))
		s.await(name + markAnswered)
		s.gateways[0].Kill()
		require.NoError(t, syscall.Kill(s.redis.Process.PID(), syscall.SIGCONT))
		require.Error(t, <-done)
		require.Equal(t, before+1, s.effects())
		answer, took := s.settled(1, kind, path, body)
		require.Less(t, took, lockTime+generous)
		require.True(t, answer.replayed)
		s.gateways[0].Start()
		s.once(kind, path, body, answer, before)
		s.forget(name)
	}
}

// Everything dies at once: both gateways, the service, and what Redis knows.
func TestWhenEverythingDiesAtOnceOneEffectRemains(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, point := range ownertest.Points() {
		path := operations(waitsAt(point))["with a body"][0]
		before := s.effects()
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = s.post(context.WithoutCancel(t.Context()), 0, string(point), path, "{}") // an error, or a last word
		}()
		s.await(waitsAt(point) + markReached)
		s.owner.Kill()
		for _, gateway := range s.gateways {
			gateway.Kill()
		}
		s.flush()
		<-done
		s.owner.Start()
		for _, gateway := range s.gateways {
			gateway.Start()
		}
		answer, _ := s.settled(0, string(point), path, "{}")
		require.Equal(t, point == ownertest.BeforeAnswer, answer.replayed)
		s.once(string(point), path, "{}", answer, before)
	}
}
