package admission_test

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/keystate"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

var (
	limits = ratelimit.Config{Window: time.Minute, Read: 60, Process: 30, Rows: 3000, Timeout: 20 * time.Second}
	locks  = idempotency.Config{Lock: time.Minute, LargestKept: 1 << 16, GoneKept: time.Hour}
)

// start returns an Admitter on the client and a read of a new, active key.
func start(t *testing.T, client goredis.UniversalClient) (*admission.Admitter, admission.Call) {
	t.Helper()
	admitter := admission.New(client, limits, locks)
	t.Cleanup(admitter.Drain)
	call := admission.Call{Caller: admission.Caller{Seller: uuid.New(), Key: uuid.New()}, State: keystate.State{Version: 1}, Class: operation.Read, Reserve: 100}
	require.NoError(t, admitter.PutKey(t.Context(), call.Caller, keystate.State{Version: 1}, time.Time{}))
	return admitter, call
}

func processCall(call admission.Call) admission.Call {
	call.Class, call.Reserve = operation.Process, 0
	return call
}

func newRequest() idempotency.Request {
	return idempotency.Request{Digest: inbox.Digest(uuid.New()), Fingerprint: inbox.Fingerprint(uuid.New())}
}

func TestLookingChargesNothing(t *testing.T) {
	t.Parallel()
	admitter, call := start(t, redistest.New(t).Client)
	for range 100 {
		decision, err := admitter.Look(t.Context(), call)
		require.NoError(t, err)
		require.Equal(t, admission.Admitted, decision.Verdict)
		require.Equal(t, 60, decision.Usage.Remaining())
	}
}

func TestReadsAndProcessCallsAreCountedApart(t *testing.T) {
	t.Parallel()
	admitter, call := start(t, redistest.New(t).Client)
	for range 30 {
		decision, err := admitter.Charge(t.Context(), processCall(call))
		require.NoError(t, err)
		require.Equal(t, admission.Admitted, decision.Verdict)
	}
	refused, err := admitter.Charge(t.Context(), processCall(call))
	require.NoError(t, err)
	require.Equal(t, admission.Refused, refused.Verdict)
	failure := apierr.From(refused.Usage.Refusal())
	require.Equal(t, apierr.RateLimited, failure.Code)
	require.Equal(t, map[string]any{"limit": "process", "max": 30, "window_seconds": 60, "retry_after": failure.RetryAfterSeconds()}, failure.Data)
	read, err := admitter.Charge(t.Context(), call)
	require.NoError(t, err)
	header := http.Header{}
	read.Usage.WriteHeaders(header)
	require.Equal(t, "59", header.Get(ratelimit.HeaderRemaining))
	require.Equal(t, "2900", header.Get(ratelimit.HeaderRowsRemaining))
}

func TestRevokedKey_survivesOlderReading(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	admitter, call := start(t, server.Client)
	before, err := admitter.Charge(t.Context(), call)
	require.NoError(t, err)
	require.NoError(t, admitter.PutKey(t.Context(), call.Caller, keystate.State{Version: 2, Revoked: true}, time.Time{}))
	verdict := func() admission.Verdict {
		decision, err := admitter.Charge(t.Context(), call)
		require.NoError(t, err)
		return decision.Verdict
	}
	require.Equal(t, admission.Revoked, verdict())
	require.NoError(t, admitter.PutKey(t.Context(), call.Caller, keystate.State{Version: 1}, before.At))
	require.Equal(t, admission.Revoked, verdict(), "a reading from before the revocation")
	require.NoError(t, admitter.PutKey(t.Context(), call.Caller, keystate.State{Version: 2}, before.At))
	require.Equal(t, admission.Revoked, verdict(), "not even under the version of the revocation")

	require.NoError(t, server.Client.FlushDB(t.Context()).Err())
	require.Equal(t, admission.Unknown, verdict())
	late := before.At.Add(-2 * keystate.Fence)
	require.ErrorIs(t, admitter.PutKey(t.Context(), call.Caller, keystate.State{Version: 1}, late), admission.ErrOldReading)
	require.Equal(t, admission.Unknown, verdict(), "a reading that was held up, after Redis was emptied")
}

func TestAnExpiredKeyIsRevokedAndANewerVersionIsUnknown(t *testing.T) {
	t.Parallel()
	admitter, call := start(t, redistest.New(t).Client)
	decision, err := admitter.Charge(t.Context(), call)
	require.NoError(t, err)
	require.NoError(t, admitter.PutKey(t.Context(), call.Caller, keystate.State{Version: 2, ExpiresAt: decision.At.Add(time.Hour)}, time.Time{}))
	decision, err = admitter.Charge(t.Context(), call)
	require.NoError(t, err)
	require.Equal(t, admission.Unknown, decision.Verdict)
	require.NoError(t, admitter.PutKey(t.Context(), call.Caller, keystate.State{Version: 3, ExpiresAt: decision.At}, time.Time{}))
	decision, err = admitter.Charge(t.Context(), call)
	require.NoError(t, err)
	require.Equal(t, admission.Revoked, decision.Verdict)
}

// begin begins a key and returns what it met.
func begin(t *testing.T, admitter *admission.Admitter, call admission.Call, request idempotency.Request) admission.Decision {
	t.Helper()
	decision, err := admitter.Begin(t.Context(), processCall(call), request)
	require.NoError(t, err)
	return decision
}

func TestLifeOfAnIdempotencyKey(t *testing.T) {
	t.Parallel()
	admitter, call := start(t, redistest.New(t).Client)
	request := newRequest()
	other := idempotency.Request{Digest: request.Digest, Fingerprint: newRequest().Fingerprint}
	answer := inbox.Answer{Status: 200, Body: []byte(`{"meta":{}}`), Stored: true}
	stored := idempotency.Ending{Outcome: inbox.Outcome{Stored: true, Left: time.Hour}, Answer: answer}

	owner := begin(t, admitter, call, request)
	require.Equal(t, idempotency.New, owner.Begun.Outcome)
	busy := begin(t, admitter, call, request)
	require.Equal(t, idempotency.Busy, busy.Begun.Outcome)
	require.InDelta(t, time.Minute.Seconds(), busy.Begun.LockLeft.Seconds(), 5)
	require.Equal(t, idempotency.Busy, begin(t, admitter, call, other).Begun.Outcome, "whose key it is, is not decided yet")

	held, err := admitter.Finish(t.Context(), call, busy, request, stored)
	require.NoError(t, err)
	require.False(t, held, "only the owner finishes")
	held, err = admitter.Finish(t.Context(), call, owner, request, stored)
	require.NoError(t, err)
	require.True(t, held)
	replay := begin(t, admitter, call, request).Begun
	require.Equal(t, idempotency.Begun{Outcome: idempotency.Replay, Answer: answer}, replay)
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
	_, err := admitter.Finish(t.Context(), call, owner, request, idempotency.Ending{Outcome: inbox.Outcome{Gone: true}})
	require.NoError(t, err)
	require.Equal(t, idempotency.Expired, begin(t, admitter, call, request).Begun.Outcome)
}

// An answer that is too large for Redis belongs to its content as any other does. Its repetitions go on to the service, hold
// nothing, and leave the word that there is an answer to those that come after them.
func TestAKeyWithALargeAnswerStaysWithItsContent(t *testing.T) {
	t.Parallel()
	admitter, call := start(t, redistest.New(t).Client)
	keepsALargeAnswersKey(t, admitter, call)
}

// large is how a request ends whose answer Redis does not keep.
func large(left time.Duration) idempotency.Ending {
	return idempotency.Ending{
		Outcome: inbox.Outcome{Stored: true, Left: left}, Answer: inbox.Answer{Status: 200, Body: make([]byte, locks.LargestKept+1)},
	}
}

func keepsALargeAnswersKey(t *testing.T, admitter *admission.Admitter, call admission.Call) {
	t.Helper()
	request := newRequest()
	other := idempotency.Request{Digest: request.Digest, Fingerprint: newRequest().Fingerprint}
	finish := func(decision admission.Decision, ending idempotency.Ending) bool {
		held, err := admitter.Finish(t.Context(), call, decision, request, ending)
		require.NoError(t, err)
		return held
	}
	owner := begin(t, admitter, call, request)
	require.True(t, finish(owner, large(time.Hour)))
	require.False(t, finish(owner, idempotency.Ending{}), "the lock has ended")
	first, second := begin(t, admitter, call, request), begin(t, admitter, call, request)
	for _, repetition := range []admission.Decision{first, second} {
		require.Equal(t, idempotency.Begun{Outcome: idempotency.Recorded}, repetition.Begun, "none of them waits for the other")
		for _, ending := range []idempotency.Ending{{}, large(time.Hour), large(0)} {
			require.True(t, finish(repetition, ending))
			require.Equal(t, idempotency.Reused, begin(t, admitter, call, other).Begun.Outcome)
			require.Equal(t, idempotency.Recorded, begin(t, admitter, call, request).Begun.Outcome)
		}
	}
	require.True(t, finish(first, idempotency.Ending{Outcome: inbox.Outcome{Gone: true}}))
	require.False(t, finish(second, large(time.Hour)), "what it met is not there any more")
	require.Equal(t, idempotency.Expired, begin(t, admitter, call, request).Begun.Outcome)
	require.Equal(t, idempotency.Reused, begin(t, admitter, call, other).Begun.Outcome)
}

// The word that there is an answer lasts as long as the answer, and with every entry Redis could forget it.
func TestFinish_largeAnswerKeptAsLong(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	admitter, call := start(t, server.Client)
	request := newRequest()
	owner := begin(t, admitter, call, request)
	_, err := admitter.Finish(t.Context(), call, owner, request, large(24*time.Hour))
	require.NoError(t, err)
	repetition := begin(t, admitter, call, request)
	names, err := server.Client.Keys(t.Context(), "*:i:*").Result()
	require.NoError(t, err)
	require.Len(t, names, 1)
	require.InDelta(t, 24*time.Hour.Seconds(), server.Client.PTTL(t.Context(), names[0]).Val().Seconds(), 60)
	require.Less(t, server.Client.StrLen(t.Context(), names[0]).Val(), int64(64), "without the answer")

	require.NoError(t, server.Client.Del(t.Context(), names[0]).Err())
	other := idempotency.Request{Digest: request.Digest, Fingerprint: newRequest().Fingerprint}
	stranger := begin(t, admitter, call, other)
	require.Equal(t, idempotency.New, stranger.Begun.Outcome)
	held, err := admitter.Finish(t.Context(), call, repetition, request, large(24*time.Hour))
	require.NoError(t, err)
	require.False(t, held, "a repetition does not take a lock from its holder")
	require.Equal(t, idempotency.Busy, begin(t, admitter, call, other).Begun.Outcome)
}

func TestLock_expiryLetsNextRequestIn(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	_, call := start(t, server.Client)
	admitter := admission.New(server.Client, limits, idempotency.Config{Lock: 20 * time.Millisecond, LargestKept: 1 << 16})
	request := newRequest()
	late := begin(t, admitter, call, request)
	require.Eventually(t, func() bool {
		return begin(t, admitter, call, request).Begun.Outcome == idempotency.New
	}, 5*time.Second, 10*time.Millisecond)
	held, err := admitter.Finish(t.Context(), call, late, request, idempotency.Ending{
		Outcome: inbox.Outcome{Stored: true, Left: time.Hour}, Answer: inbox.Answer{Status: 200}})
	require.NoError(t, err)
	require.False(t, held)
}

func TestARefusedCallBeginsNoKey(t *testing.T) {
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

func TestOneHolderAmongManyConcurrentRequests(t *testing.T) {
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

func ExampleScripts() {
	for _, script := range admission.Scripts() {
		fmt.Println(script.Name())
	}
	// Output:
	// admit
	// begin
	// settle
	// finish
	// put_key
}
