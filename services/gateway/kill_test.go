package gateway_test

import (
	"context"
	"fmt"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/ownertest"
)

// operations returns one operation with a body and one without, which net/http would retry by itself.
func operations(name string) map[string][2]string {
	return map[string][2]string{
		"with a body":    {"/open/v1/orders/" + name + "/preparation", "{}"},
		"without a body": {"/open/v1/claims/" + name + "/approve", ""},
	}
}

// once asserts that a key has had one effect, and that its response no longer changes, whether or not Redis has its data.
func (s *system) once(key, path, body string, first reply, before int) {
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

// The service dies at every point of a process call, with or without a loss of Redis' data: there is one effect, and every
// retry gets the first response. The gateway lives on and releases the key, so that no client has to wait for it.
func TestKilledService_oneEffect(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	for _, point := range ownertest.Points() {
		for _, flushed := range []bool{false, true} {
			for kind, o := range operations(diesAt(point)) {
				path, body := o[0], o[1]
				key, before := fmt.Sprint(point, flushed, kind), s.effects()
				got, err := s.arrive(t.Context(), 0, key, path, body)
				require.NoError(t, err)
				require.Equal(t, http.StatusServiceUnavailable, got.status, got.body)
				require.Equal(t, "1", got.header.Get("Retry-After"))
				<-s.owner.Ended()
				if flushed {
					s.flush()
				}
				s.owner.Start()
				answer, busy := s.settled(1, key, path, body)
				require.Zero(t, busy)
				require.Equal(t, point == ownertest.BeforeAnswer, answer.replayed)
				s.once(key, path, body, answer, before)
				s.forget(diesAt(point))
			}
		}
	}
}

// interrupted sends a process call to the first gateway, kills the gateway at the point, and starts another one in its place.
func (s *system) interrupted(point ownertest.Point, key, path, body string) {
	s.t.Helper()
	name := waitsAt(point)
	done := s.posted(key, path, body)
	s.await(name + markReached)
	s.gateways[0].Kill()
	require.Error(s.t, <-done)
	require.True(s.t, mark(s.folder, name+markGoOn))
	s.gateways[0].Start()
}

// posted sends a process call to the first gateway, and returns a channel for its result.
func (s *system) posted(key, path, body string) <-chan error {
	done := make(chan error, 1)
	go func() {
		_, err := s.arrive(context.WithoutCancel(s.t.Context()), 0, key, path, body)
		done <- err
	}()
	return done
}

// The gateway dies while the service is at every point of a process call. Its lease of the key ends in time, or with the data of
// Redis.
func TestKilledGateway_keyReturned(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	for _, point := range ownertest.Points() {
		for _, flushed := range []bool{false, true} {
			for kind, o := range operations(waitsAt(point)) {
				path, body := o[0], o[1]
				key, before := fmt.Sprint(point, flushed, kind), s.effects()
				s.interrupted(point, key, path, body)
				if flushed {
					s.flush()
				} else {
					s.leasesEnd()
				}
				answer, busy := s.settled(1, key, path, body)
				require.Zero(t, busy)
				s.once(key, path, body, answer, before)
				s.forget(waitsAt(point))
			}
		}
	}
}

// keyFreeWithin is the time after its gateway's death within which a key is free.
const keyFreeWithin = 5 * time.Second

// While a key is held by a gateway that died, other requests are asked to retry, and nothing else. Its lease ends without
// intervention, however long the request had been running and its lease been renewed.
func TestKilledGateway_keyFreeWithinSeconds(t *testing.T) {
	t.Parallel()
	for name, age := range map[string]time.Duration{"young": 0, "renewed": 2 * idempotency.Config{}.WithDefaults().Lease} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, named := newSystem(t), waitsAt(ownertest.BeforeKey)
			path := operations(named)["with a body"][0]
			done, began := s.posted("key", path, "{}"), time.Now()
			s.await(named + markReached)
			require.Eventually(t, func() bool { return time.Since(began) >= age }, waitFor, tick)
			busy, err := s.arrive(t.Context(), 1, "key", path, "{}")
			require.NoError(t, err)
			require.Contains(t, busy.body, "IDEMPOTENCY_IN_PROGRESS")
			s.gateways[0].Kill()
			killed := s.redis.Client.Time(t.Context()).Val()
			require.Error(t, <-done)
			require.True(t, mark(s.folder, named+markGoOn))
			require.Eventually(t, func() bool { return len(s.redis.Client.Keys(t.Context(), "*:i:*").Val()) == 0 },
				waitFor, time.Millisecond)
			require.Less(t, s.redis.Client.Time(t.Context()).Val().Sub(killed), keyFreeWithin)
			s.gateways[0].Start()
			answer, refusals := s.settled(1, "key", path, "{}")
			require.Zero(t, refusals)
			s.once("key", path, "{}", answer, 0)
		})
	}
}

// A gateway that is paused loses its lease, and the next request runs beside the first one, whose transaction is still open.
// The inbox lets one of them have its effect, and both clients get its answer; the first gateway, when it continues, changes
// nothing.
func TestPausedGateway_oneEffect(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	for _, point := range ownertest.Points() {
		named := waitsAt(point)
		path, before := operations(named)["with a body"][0], s.effects()
		key := string(point)
		first := make(chan reply, 1)
		go func() {
			got, _ := s.arrive(context.WithoutCancel(t.Context()), 0, key, path, "{}")
			first <- got
		}()
		s.await(named + markReached)
		s.gateways[0].Signal(syscall.SIGSTOP)
		require.Eventually(t, func() bool { return len(s.redis.Client.Keys(t.Context(), "*:i:*").Val()) == 0 },
			waitFor, time.Millisecond)
		second := make(chan reply, 1)
		go func() {
			got, _ := s.arrive(context.WithoutCancel(t.Context()), 1, key, path, "{}")
			second <- got
		}()
		require.Eventually(t, func() bool { return len(s.redis.Client.Keys(t.Context(), "*:i:*").Val()) == 1 },
			waitFor, time.Millisecond)
		require.True(t, mark(s.folder, named+markGoOn))
		other := <-second
		require.Equal(t, http.StatusOK, other.status, other.body)
		s.gateways[0].Signal(syscall.SIGCONT)
		one := <-first
		require.Equal(t, http.StatusOK, one.status, one.body)
		require.Equal(t, one.body, other.body)
		s.once(key, path, "{}", other, before)
		s.forget(named)
	}
}

// The gateway has the response, cannot store it in Redis, and dies before it responds to its client.
func TestKilledGateway_answerSurvives(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	name := waitsAt(ownertest.BeforeAnswer)
	for kind, o := range operations(name) {
		path, body := o[0], o[1]
		before := s.effects()
		done := s.posted(kind, path, body)
		s.await(name + markReached)
		require.NoError(t, syscall.Kill(s.redis.Process.PID(), syscall.SIGSTOP))
		require.True(t, mark(s.folder, name+markGoOn))
		s.await(name + markAnswered)
		s.gateways[0].Kill()
		require.NoError(t, syscall.Kill(s.redis.Process.PID(), syscall.SIGCONT))
		require.Error(t, <-done)
		require.Equal(t, before+1, s.effects())
		s.leasesEnd()
		answer, _ := s.settled(1, kind, path, body)
		require.True(t, answer.replayed)
		s.gateways[0].Start()
		s.once(kind, path, body, answer, before)
		s.forget(name)
	}
}

// Everything dies at once: both gateways, the service, and possibly the data of Redis. At the first point the key is held for a
// request that no service knows any more.
func TestKilledSystem_oneEffectRemains(t *testing.T) {
	t.Parallel()
	s := newSystem(t)
	for _, point := range ownertest.Points() {
		for _, flushed := range []bool{false, true} {
			path := operations(waitsAt(point))["with a body"][0]
			key, before := fmt.Sprint(point, flushed), s.effects()
			done := s.posted(key, path, "{}")
			s.await(waitsAt(point) + markReached)
			s.owner.Kill()
			for _, gateway := range s.gateways {
				gateway.Kill()
			}
			t.Log("the client of the killed processes: ", <-done)
			if flushed {
				s.flush()
			}
			s.leasesEnd()
			s.owner.Start()
			for _, gateway := range s.gateways {
				gateway.Start()
			}
			answer, _ := s.settled(0, key, path, "{}")
			require.Equal(t, point == ownertest.BeforeAnswer, answer.replayed)
			s.once(key, path, "{}", answer, before)
			s.forget(waitsAt(point))
		}
	}
}
