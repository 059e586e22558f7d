package rest_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/ownertest"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

func (b *fixture) flush(t *testing.T) {
	t.Helper()
	require.NoError(t, b.redis.Client.FlushDB(t.Context()).Err())
}

// A repetition gets the first response byte for byte, even if that was a final refusal.
func TestIdempotencyKey_replaysByteForByte(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: plenty}, inbox.Config{}, nil)
	_, text := b.key(t)
	for name, path := range map[string]string{
		"success":                     prepare(ownertest.Success),
		"not found":                   prepare(ownertest.Refusing(apierr.OrderNotFound)),
		"final conflict":              prepare(ownertest.Refusing(apierr.OrderItemNotPreparable)),
		"without a body":              approve(ownertest.Success),
		"conflict of a claim's state": approve(ownertest.Refusing(apierr.ClaimNotApprovable)),
	} {
		key := uuid.NewString()
		first := b.post(t, text, key, path, `{"item_ids":["a"]}`)
		arrived := len(o.Arrived())
		for n, sent := range []string{` { "item_ids" : [ "\u0061" ] }`, `{"item_ids":["a"]}`, `{"item_ids":["a"]}`} {
			again := b.post(t, text, key, path, sent)
			replayed(t, first, again)
			require.Equal(t, "10000", again.header.Get(ratelimit.HeaderLimit), name)
			require.NotEmpty(t, again.header.Get(ratelimit.HeaderRemaining), name)
			require.Len(t, o.Arrived(), arrived+n+1, "%s: its service answers", name)
			if n == 0 {
				b.flush(t)
			}
		}
	}
	require.Equal(t, 2, o.effects(t), "effects of the two successes only")
}

// Apart from the body, a replayed response belongs to its own request: it has its own request id and is not cached.
func TestIdempotencyKey_replayHasItsOwnHeaders(t *testing.T) {
	t.Parallel()
	b, _ := owned(t, setting{limits: plenty}, inbox.Config{}, nil)
	_, text := b.key(t)
	first := b.post(t, text, "key", prepare(ownertest.Success), "{}")
	again := b.post(t, text, "key", prepare(ownertest.Success), "{}")
	require.NotEqual(t, first.header.Get("X-Request-Id"), again.header.Get("X-Request-Id"))
	require.Equal(t, "no-store", again.header.Get("Cache-Control"))
}

func TestIdempotencyKey_reusedForOtherContent(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: plenty}, inbox.Config{}, nil)
	_, text := b.key(t)
	first := b.post(t, text, "key", prepare(ownertest.Success), `{"item_ids":["a","b"]}`)
	others := []call{
		posting(text, "key", prepare(ownertest.Success), `{"item_ids":["b","a"]}`),
		posting(text, "key", prepare(ownertest.Success), `{"item_ids":["a"]}`),
		posting(text, "key", prepare(ownertest.Success), ``),
		posting(text, "key", prepare("other"), `{"item_ids":["a","b"]}`),
		posting(text, "key", "/open/v1/orders/ok/delivery", `{"item_ids":["a","b"]}`),
		posting(text, "key", approve(ownertest.Success), `{"item_ids":["a","b"]}`),
	}
	for _, forget := range []bool{false, true} {
		for _, sent := range others {
			if forget {
				b.flush(t)
			}
			refused(t, b.send(t, sent), http.StatusConflict, "IDEMPOTENCY_KEY_REUSED")
		}
	}
	b.flush(t)
	replayed(t, first, b.post(t, text, "key", prepare(ownertest.Success), `{"item_ids":["a","b"]}`))
	require.Equal(t, 1, o.effects(t))
}

// A rotation of API keys must not break a retry.
func TestIdempotencyKey_sharedWithinSellerOnly(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: plenty}, inbox.Config{}, nil)
	old, oldText := b.key(t)
	_, newText := b.key(t)
	first := b.post(t, oldText, "key", prepare(ownertest.Success), "{}")
	_, err := b.keys.Revoke(t.Context(), apikey.RevokeRequest{SellerID: b.seller, KeyID: old.ID, Author: kim})
	require.NoError(t, err)
	replayed(t, first, b.post(t, newText, "key", prepare(ownertest.Success), "{}"))
	refused(t, b.post(t, newText, "key", approve(ownertest.Success), ""), http.StatusConflict, "IDEMPOTENCY_KEY_REUSED")

	b.seller = uuid.New()
	require.NoError(t, b.keys.Register(t.Context(), apikey.RegisterRequest{SellerID: b.seller, Name: "Other", Author: kim}))
	_, otherText := b.key(t)
	second := b.post(t, otherText, "key", prepare(ownertest.Success), "{}")
	require.Empty(t, second.header.Get(inbox.ReplayedHeader))
	require.NotEqual(t, effectIn(t, first), effectIn(t, second))
	require.Equal(t, 2, o.effects(t))
}

// Operations without a body ignore a body that is sent, also when they compare repetitions.
func TestIdempotencyKey_bodyIgnoredWhereNone(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: plenty}, inbox.Config{}, nil)
	_, text := b.key(t)
	for _, path := range []string{approve(ownertest.Success), collectDone(ownertest.Success)} {
		key := uuid.NewString()
		first := b.post(t, text, key, path, "")
		for _, body := range []string{`{}`, `{"memo":"x"}`, `not JSON`, ``} {
			replayed(t, first, b.post(t, text, key, path, body))
		}
	}
	require.Equal(t, 2, o.effects(t))
}

// A response that decides nothing leaves the key free, even for another request.
func TestIdempotencyKey_freeWhenUndecided(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: plenty}, inbox.Config{}, nil)
	_, text := b.key(t)
	for _, code := range []apierr.Code{
		apierr.ShipmentFieldsRequired, apierr.ValidationError, apierr.ShipmentCarrierNotAllowed, apierr.IdempotencyUnresolved,
		apierr.QnaAnswerUnresolved, apierr.ExchangeItemShipFailed, apierr.Internal, apierr.Unavailable,
	} {
		key := uuid.NewString()
		for range 2 {
			got := b.post(t, text, key, prepare(ownertest.Refusing(code)), "{}")
			require.Equal(t, code.Status(), got.status, string(got.body))
			require.Empty(t, got.header.Get(inbox.ReplayedHeader))
		}
		effectIn(t, b.post(t, text, key, approve(ownertest.Success), "")) // even for other content
	}
	require.Equal(t, 8, o.effects(t), "effects of the successes only")
	require.Equal(t, 8, o.stored(t))
}

// busyWaits are the waits that a client is told while its key is in use, in seconds.
var busyWaits = []string{"1", "2", "3", "4", "5", "6"}

// A request with other content that takes the key while Redis has lost it must not lead to a permanent refusal of the owner's.
func TestIdempotencyKey_ownerNeverSeesReused(t *testing.T) {
	t.Parallel()
	reached, goOn := make(chan struct{}), make(chan struct{})
	b, o := owned(t, setting{limits: plenty}, inbox.Config{}, func(point ownertest.Point, name string) {
		if point == ownertest.BeforeKey && name == "stranger" {
			close(reached)
			<-goOn
		}
	})
	_, text := b.key(t)
	mine, stranger := posting(text, "key", prepare(ownertest.Success), "{}"), posting(text, "key", prepare("stranger"), "{}")
	first := b.send(t, mine)
	b.flush(t)
	done := make(chan answer, 1)
	go func() { got, _ := b.try(t.Context(), stranger); done <- got }()
	<-reached
	refused(t, b.send(t, mine), http.StatusConflict, "IDEMPOTENCY_IN_PROGRESS")
	close(goOn)
	refused(t, <-done, http.StatusConflict, "IDEMPOTENCY_KEY_REUSED")
	replayed(t, first, b.send(t, mine))
	require.Equal(t, 1, o.effects(t))
}

// Redis remembers for a while that a response has expired; the inbox remembers without limit.
func TestIdempotencyKey_410AfterItsTime(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: plenty}, inbox.Config{Retention: 1500 * time.Millisecond}, nil)
	_, text := b.key(t)
	sent := posting(text, "key", prepare(ownertest.Success), "{}")
	first := b.send(t, sent)
	effectIn(t, first)
	require.Eventually(t, func() bool {
		got := b.send(t, sent)
		if got.status == http.StatusOK {
			require.Equal(t, string(first.body), string(got.body))
		}
		return got.status == http.StatusGone
	}, waitFor, 20*tick)
	arrived := len(o.Arrived())
	refused(t, b.send(t, sent), http.StatusGone, "IDEMPOTENCY_RESULT_EXPIRED")
	require.Len(t, o.Arrived(), arrived, "410 without a call of the service")
	refused(t, b.post(t, text, "key", approve("other"), ""), http.StatusConflict, "IDEMPOTENCY_KEY_REUSED")
	for range 2 {
		b.flush(t)
		refused(t, b.send(t, sent), http.StatusGone, "IDEMPOTENCY_RESULT_EXPIRED")
		_, err := sweep.New(o.Box().Sweeps()[0], telemetrytest.Discard(t)).Once(t.Context())
		require.NoError(t, err)
	}
	require.Equal(t, 1, o.effects(t))
	require.Zero(t, o.stored(t))
}

// A client that escapes more than necessary, or with lower-case digits, addresses the same resource, with and without Redis.
func TestIdempotencyKey_otherSpellingOfPath(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: plenty}, inbox.Config{}, nil)
	_, text := b.key(t)
	first := b.post(t, text, "key", prepare("G-1,가"), "{}")
	for range 2 {
		for _, spelt := range []string{"%47-1,%ea%b0%80", "G%2D1%2C%EA%B0%80"} {
			replayed(t, first, b.post(t, text, "key", prepare(spelt), "{}"))
		}
		refused(t, b.post(t, text, "key", prepare("%67-1,%ea%b0%80"), "{}"), http.StatusConflict, "IDEMPOTENCY_KEY_REUSED")
		b.flush(t)
	}
	require.Equal(t, 1, o.effects(t))
}

// A service knows only its own keys, so the gateway must know what was done at another one, however large the first response
// was and however often it is requested.
func TestIdempotencyKey_oneEffectOverAllServices(t *testing.T) {
	t.Parallel()
	b, claims, orders := ownedApart(t, setting{limits: plenty}, nil)
	_, text := b.key(t)
	effects := 0
	for _, name := range []string{ownertest.Success, ownertest.Big, ownertest.Refusing(apierr.OrderNotFound)} {
		for _, pair := range [][2]string{
			{prepare(name), approve(ownertest.Success)},
			{prepare(name), approve(ownertest.Big)},
			{approve(name), prepare(ownertest.Success)},
			{approve(name), prepare(ownertest.Big)},
		} {
			key := uuid.NewString()
			first := b.post(t, text, key, pair[0], "{}")
			if first.status == http.StatusOK {
				effects++
			}
			for range 2 {
				refused(t, b.post(t, text, key, pair[1], "{}"), http.StatusConflict, "IDEMPOTENCY_KEY_REUSED")
				replayed(t, first, b.post(t, text, key, pair[0], "{}"))
			}
			require.Equal(t, effects, claims.effects(t)+orders.effects(t), pair)
		}
	}
}

// A repetition that gets no response from the service fails as unavailable, and the key keeps its content.
func TestAReplay_serviceAway(t *testing.T) {
	t.Parallel()
	var fail atomic.Bool
	b, claims, orders := ownedApart(t, setting{limits: plenty}, func(ownertest.Point, string) {
		if fail.Load() {
			panic(http.ErrAbortHandler)
		}
	})
	_, text := b.key(t)
	for n, name := range []string{ownertest.Success, ownertest.Big} {
		key := uuid.NewString()
		first := b.post(t, text, key, prepare(name), "{}")
		effectIn(t, first)
		fail.Store(true)
		refused(t, b.post(t, text, key, prepare(name), "{}"), http.StatusServiceUnavailable, "")
		fail.Store(false)
		refused(t, b.post(t, text, key, approve(ownertest.Success), ""), http.StatusConflict, "IDEMPOTENCY_KEY_REUSED")
		replayed(t, first, b.post(t, text, key, prepare(name), "{}"))
		require.Equal(t, []int{n + 1, 0}, []int{orders.effects(t), claims.effects(t)})
	}
}
