package admission_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/keystate"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

var (
	limits = ratelimit.Config{Window: time.Minute, Read: 60, Process: 30, Rows: 3000, Timeout: 20 * time.Second}
	locks  = idempotency.Config{Lease: time.Minute, ExpiredKept: time.Hour}
)

func start(t *testing.T, client goredis.UniversalClient) (*admission.Admitter, admission.Call) {
	t.Helper()
	admitter := admission.New(client, limits, locks)
	t.Cleanup(admitter.Drain)
	call := admission.Call{Key: apikey.Key{SellerID: uuid.New(), ID: uuid.New(), Version: 1}, Class: operation.Read, Reserve: 100}
	require.NoError(t, admitter.PutKey(t.Context(), call.Key, time.Time{}))
	return admitter, call
}

// changed returns a version of a key with an expiry.
func changed(key apikey.Key, version int, expiresAt *time.Time) apikey.Key {
	key.Version, key.ExpiresAt = version, expiresAt
	return key
}

// revoked returns a key after its revocation.
func revoked(key apikey.Key) apikey.Key {
	key.Version, key.RevokedAt = key.Version+1, &time.Time{}
	return key
}

func processCall(call admission.Call) admission.Call {
	call.Class, call.Reserve = operation.Process, 0
	return call
}

func newRequest() idempotency.Request {
	return idempotency.Request{Digest: inbox.Digest(uuid.New()), Fingerprint: inbox.Fingerprint(uuid.New())}
}

func TestRevokedKey_survivesOlderReading(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	admitter, call := start(t, server.Client)
	before, err := admitter.Charge(t.Context(), call)
	require.NoError(t, err)
	require.NoError(t, admitter.PutKey(t.Context(), revoked(call.Key), time.Time{}))
	verdict := func() admission.Verdict {
		decision, err := admitter.Charge(t.Context(), call)
		require.NoError(t, err)
		return decision.Verdict
	}
	require.Equal(t, admission.Revoked, verdict())
	require.NoError(t, admitter.PutKey(t.Context(), call.Key, before.At))
	require.Equal(t, admission.Revoked, verdict(), "a state read before the revocation is not written")
	require.NoError(t, admitter.PutKey(t.Context(), changed(call.Key, 2, nil), before.At))
	require.Equal(t, admission.Revoked, verdict(), "even with the version of the revocation")

	require.NoError(t, server.Client.FlushDB(t.Context()).Err())
	require.Equal(t, admission.Unknown, verdict())
	late := before.At.Add(-2 * keystate.Fence)
	require.ErrorIs(t, admitter.PutKey(t.Context(), call.Key, late), admission.ErrOldReading)
	require.Equal(t, admission.Unknown, verdict(), "a delayed state is not written to an emptied Redis")
}

// A key that has expired counts as revoked; one of which Redis knows a newer version than the call does is unknown.
func TestCharge_expiredKeyAndNewerVersion(t *testing.T) {
	t.Parallel()
	admitter, call := start(t, redistest.New(t).Client)
	decision, err := admitter.Charge(t.Context(), call)
	require.NoError(t, err)
	later := decision.At.Add(time.Hour)
	require.NoError(t, admitter.PutKey(t.Context(), changed(call.Key, 2, &later), time.Time{}))
	decision, err = admitter.Charge(t.Context(), call)
	require.NoError(t, err)
	require.Equal(t, admission.Unknown, decision.Verdict)
	require.NoError(t, admitter.PutKey(t.Context(), changed(call.Key, 3, &decision.At), time.Time{}))
	decision, err = admitter.Charge(t.Context(), call)
	require.NoError(t, err)
	require.Equal(t, admission.Revoked, decision.Verdict)
}

func begin(t *testing.T, admitter *admission.Admitter, call admission.Call, request idempotency.Request) admission.Decision {
	t.Helper()
	decision, err := admitter.Begin(t.Context(), processCall(call), request)
	require.NoError(t, err)
	return decision
}

// An idempotency key goes through all its states: begun, busy, answered and repeated.
func TestIdempotencyKey_wholeLife(t *testing.T) {
	t.Parallel()
	admitter, call := start(t, redistest.New(t).Client)
	request := newRequest()
	other := idempotency.Request{Digest: request.Digest, Fingerprint: newRequest().Fingerprint}
	stored := answered(time.Hour)

	owner := begin(t, admitter, call, request)
	require.Equal(t, idempotency.New, owner.Begun.Outcome)
	busy := begin(t, admitter, call, request)
	require.Equal(t, idempotency.Busy, busy.Begun.Outcome)
	require.InDelta(t, time.Minute.Seconds(), busy.Begun.LeaseLeft.Seconds(), 5)
	require.Equal(t, idempotency.Busy, begin(t, admitter, call, other).Begun.Outcome, "the owner of the key is not decided yet")

	held, err := admitter.Finish(t.Context(), call, busy, request, stored)
	require.NoError(t, err)
	require.False(t, held, "only the owner finishes")
	held, err = admitter.Finish(t.Context(), call, owner, request, stored)
	require.NoError(t, err)
	require.True(t, held)
	require.Equal(t, idempotency.Begun{Outcome: idempotency.Answered}, begin(t, admitter, call, request).Begun)
	require.Equal(t, idempotency.Reused, begin(t, admitter, call, other).Begun.Outcome)
}

func TestFinish_unstoredAnswerAndGoneKey(t *testing.T) {
	t.Parallel()
	admitter, call := start(t, redistest.New(t).Client)
	request := newRequest()
	for range 2 {
		owner := begin(t, admitter, call, request)
		require.Equal(t, idempotency.New, owner.Begun.Outcome)
		_, err := admitter.Finish(t.Context(), call, owner, request, idempotency.Ending{})
		require.NoError(t, err)
	}
	owner := begin(t, admitter, call, request)
	_, err := admitter.Finish(t.Context(), call, owner, request, idempotency.Ending{Outcome: inbox.Outcome{Expired: true}})
	require.NoError(t, err)
	require.Equal(t, idempotency.Expired, begin(t, admitter, call, request).Begun.Outcome)
}

// Repetitions of an answered request are passed to the service, hold no lease, and whatever becomes of them, later ones are
// still told that there is an answer.
func TestIdempotencyKey_answeredKeepsContent(t *testing.T) {
	t.Parallel()
	admitter, call := start(t, redistest.New(t).Client)
	keepsAnAnsweredKey(t, admitter, call)
}

func answered(left time.Duration) idempotency.Ending {
	return idempotency.Ending{
		Outcome: inbox.Outcome{Stored: true, Left: left},
		Answer:  inbox.Answer{Status: 200, Body: make([]byte, 1<<16)},
	}
}

func keepsAnAnsweredKey(t *testing.T, admitter *admission.Admitter, call admission.Call) {
	t.Helper()
	request := newRequest()
	other := idempotency.Request{Digest: request.Digest, Fingerprint: newRequest().Fingerprint}
	finish := func(decision admission.Decision, ending idempotency.Ending) bool {
		held, err := admitter.Finish(t.Context(), call, decision, request, ending)
		require.NoError(t, err)
		return held
	}
	owner := begin(t, admitter, call, request)
	require.True(t, finish(owner, answered(time.Hour)))
	require.False(t, finish(owner, idempotency.Ending{}), "the key was released")
	first, second := begin(t, admitter, call, request), begin(t, admitter, call, request)
	for _, repetition := range []admission.Decision{first, second} {
		require.Equal(t, idempotency.Begun{Outcome: idempotency.Answered}, repetition.Begun, "repetitions do not wait for each other")
		for _, ending := range []idempotency.Ending{{}, answered(time.Hour), answered(0)} {
			require.True(t, finish(repetition, ending))
			require.Equal(t, idempotency.Reused, begin(t, admitter, call, other).Begun.Outcome)
			require.Equal(t, idempotency.Answered, begin(t, admitter, call, request).Begun.Outcome)
		}
	}
	expired := idempotency.Ending{Outcome: inbox.Outcome{Expired: true}}
	require.True(t, finish(first, expired))
	require.False(t, finish(second, expired), "the entry it found has been replaced")
	require.Equal(t, idempotency.Expired, begin(t, admitter, call, request).Begun.Outcome)
	require.Equal(t, idempotency.Reused, begin(t, admitter, call, other).Begun.Outcome)
}

// entryName returns the Redis key of the only idempotency key of a test.
func entryName(t *testing.T, server *redistest.Server) string {
	t.Helper()
	names, err := server.Client.Keys(t.Context(), "*:i:*").Result()
	require.NoError(t, err)
	require.Len(t, names, 1)
	return names[0]
}

// The marker that there is an answer is kept as long as the answer and an hour more. Redis may lose it like any entry.
func TestFinish_keptAsLongAsTheAnswer(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	admitter, call := start(t, server.Client)
	request := newRequest()
	owner := begin(t, admitter, call, request)
	_, err := admitter.Finish(t.Context(), call, owner, request, answered(24*time.Hour))
	require.NoError(t, err)
	repetition, name := begin(t, admitter, call, request), entryName(t, server)
	require.InDelta(t, 25*time.Hour.Seconds(), server.Client.PTTL(t.Context(), name).Val().Seconds(), 60)

	require.NoError(t, server.Client.Del(t.Context(), name).Err())
	other := idempotency.Request{Digest: request.Digest, Fingerprint: newRequest().Fingerprint}
	stranger := begin(t, admitter, call, other)
	require.Equal(t, idempotency.New, stranger.Begun.Outcome)
	held, err := admitter.Finish(t.Context(), call, repetition, request, idempotency.Ending{Outcome: inbox.Outcome{Expired: true}})
	require.NoError(t, err)
	require.False(t, held, "a repetition does not release another's key")
	require.Equal(t, idempotency.Busy, begin(t, admitter, call, other).Begun.Outcome)
}

// A lease that nobody renews ends, and what its late owner says of the key counts no more.
func TestLease_endLetsNextRequestIn(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	_, call := start(t, server.Client)
	admitter := admission.New(server.Client, limits, idempotency.Config{Lease: 20 * time.Millisecond})
	request := newRequest()
	late := begin(t, admitter, call, request)
	require.Eventually(t, func() bool {
		return begin(t, admitter, call, request).Begun.Outcome == idempotency.New
	}, time.Minute, 10*time.Millisecond)
	held, err := admitter.Finish(t.Context(), call, late, request, idempotency.Ending{
		Outcome: inbox.Outcome{Stored: true, Left: time.Hour}, Answer: inbox.Answer{Status: 200},
	})
	require.NoError(t, err)
	require.False(t, held)
}

// A call that a limit refuses begins no idempotency key.
func TestBegin_refusedCallBeginsNoKey(t *testing.T) {
	t.Parallel()
	admitter, call := start(t, redistest.New(t).Client)
	for range limits.Process {
		begin(t, admitter, call, newRequest())
	}
	request := newRequest()
	refused := begin(t, admitter, call, request)
	require.Equal(t, admission.Refused, refused.Verdict)
	require.Empty(t, refused.Begun.Outcome)
}

// Of many concurrent requests with one key exactly one holds it.
func TestBegin_oneHolderAmongMany(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	_, call := start(t, server.Client)
	admitter := admission.New(server.Client, ratelimit.Config{Window: time.Minute, Read: 1, Process: 1000, Rows: 1}, locks)
	request := newRequest()
	var holders atomic.Int64
	var wg sync.WaitGroup
	for range 200 {
		wg.Go(func() {
			decision, err := admitter.Begin(t.Context(), processCall(call), request)
			if err == nil && decision.Begun.Outcome == idempotency.New {
				holders.Add(1)
			}
		})
	}
	wg.Wait()
	require.Equal(t, int64(1), holders.Load())
}
