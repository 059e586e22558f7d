package rest_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/ownertest"
)

// dying returns moments that make a service drop its connection once, at the point, for the record "dies".
func dying(at ownertest.Point) moments {
	var died atomic.Bool
	return func(point ownertest.Point, name string) {
		if point == at && name == "dies" && died.CompareAndSwap(false, true) {
			panic(http.ErrAbortHandler)
		}
	}
}

func (b *fixture) counted(outcome string) float64 {
	families, _ := b.tel.Registry.Gather()
	for _, family := range families {
		if family.GetName() != telemetry.UpstreamRequests.Name {
			continue
		}
		for _, metric := range family.GetMetric() {
			for _, label := range metric.GetLabel() {
				if label.GetValue() == outcome {
					return metric.GetCounter().GetValue()
				}
			}
		}
	}
	return 0
}

// net/http by itself retries a POST that has no body and carries an Idempotency-Key when the connection dies. Every request of
// the client must reach the service once.
func TestCrash_askedOnce(t *testing.T) {
	t.Parallel()
	for _, point := range ownertest.Points() {
		for name, sent := range map[string]call{
			"without a body": posting("", "key", approve("dies"), ""),
			"with a body":    posting("", "key", prepare("dies"), "{}"),
		} {
			t.Run(string(point)+", "+name, func(t *testing.T) {
				t.Parallel()
				b, o := owned(t, setting{limits: plenty}, inbox.Config{}, dying(point))
				_, text := b.key(t)
				effectIn(t, b.post(t, text, "warm", approve(ownertest.Success), "")) // leaves a connection that is reused
				sent.header["X-Api-Key"] = []string{text}
				refused(t, b.send(t, sent), http.StatusServiceUnavailable, "")
				require.Len(t, o.Arrived(), 2)
				again := b.send(t, sent)
				effectIn(t, again)
				require.Len(t, o.Arrived(), 3)
				require.Equal(t, 2, o.effects(t), "one effect of each of the two calls")
				require.Equal(t, point == ownertest.BeforeAnswer, again.header.Get(inbox.ReplayedHeader) == "true")
			})
		}
	}
}

// A client that disconnects does not stop its request, and finds the response when it comes back.
func TestCrash_clientLeavesAndReturns(t *testing.T) {
	t.Parallel()
	for _, point := range ownertest.Points() {
		t.Run(string(point), func(t *testing.T) {
			t.Parallel()
			reached, goOn := make(chan struct{}), make(chan struct{})
			var first atomic.Bool
			b, o := owned(t, setting{limits: plenty}, inbox.Config{}, func(at ownertest.Point, name string) {
				if at == point && name == "slow" && first.CompareAndSwap(false, true) {
					close(reached)
					<-goOn
				}
			})
			_, text := b.key(t)
			ctx, leave := context.WithCancel(t.Context())
			left := make(chan error, 1)
			sent := posting(text, "key", prepare("slow"), "{}")
			go func() { _, err := b.try(ctx, sent); left <- err }()
			<-reached
			leave()
			require.ErrorIs(t, <-left, context.Canceled)
			refused(t, b.send(t, sent), http.StatusConflict, "IDEMPOTENCY_IN_PROGRESS")
			close(goOn)
			again := b.eventually(t, sent)
			require.Equal(t, "true", again.header.Get(inbox.ReplayedHeader))
			require.Equal(t, 1, o.effects(t))
			require.Len(t, o.Arrived(), 2, "the call and its repetition")
			require.Zero(t, b.counted("client_gone"), "no request was cancelled")
		})
	}
}

// If Redis is emptied while a request runs, a second one reaches the inbox, which keeps them apart.
func TestCrash_redisFlushedMidRequest(t *testing.T) {
	t.Parallel()
	for _, point := range ownertest.Points() {
		t.Run(string(point), func(t *testing.T) {
			t.Parallel()
			reached, goOn := make(chan struct{}), make(chan struct{})
			var first atomic.Bool
			b, o := owned(t, setting{limits: plenty}, inbox.Config{}, func(at ownertest.Point, name string) {
				if at == point && first.CompareAndSwap(false, true) {
					close(reached)
					<-goOn
				}
			})
			_, text := b.key(t)
			sent := posting(text, "key", prepare(ownertest.Success), "{}")
			answers := make(chan answer, 2)
			send := func() { got, _ := b.try(context.WithoutCancel(t.Context()), sent); answers <- got }
			go send()
			<-reached
			b.flush(t)
			go send()
			require.Eventually(t, func() bool { return len(o.Arrived()) == 2 }, waitFor, tick)
			close(goOn)
			one, other := <-answers, <-answers
			require.Equal(t, effectIn(t, one), effectIn(t, other))
			require.Equal(t, string(one.body), string(other.body))
			require.Equal(t, 1, o.effects(t))
			replay := b.send(t, sent)
			require.Equal(t, string(one.body), string(replay.body))
			require.Equal(t, "true", replay.header.Get(inbox.ReplayedHeader))
		})
	}
}
