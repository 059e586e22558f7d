package admission

import (
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/idempotency"
)

// testLease is short for tests that wait for its end, and long enough for the renewals of a loaded machine.
const testLease = 2 * time.Second

// newHolder returns an Admitter with short leases, and a call of an active key that no limit refuses.
func newHolder(t *testing.T, server *redistest.Server) (*Admitter, Call) {
	t.Helper()
	limits := testLimits
	limits.Process = 100_000
	a := New(server.Client, limits, idempotency.Config{Lease: testLease})
	call := Call{Key: apikey.Key{SellerID: uuid.New(), ID: uuid.New(), Version: 1}, Class: operation.Process}
	require.NoError(t, a.PutKey(t.Context(), call.Key, time.Time{}))
	return a, call
}

func newKey() idempotency.Request {
	return idempotency.Request{Digest: inbox.Digest(uuid.New()), Fingerprint: inbox.Fingerprint(uuid.New())}
}

func begun(t *testing.T, a *Admitter, call Call, request idempotency.Request, want idempotency.Outcome) Decision {
	t.Helper()
	decision, err := a.Begin(t.Context(), call, request)
	require.NoError(t, err)
	require.Equal(t, Admitted, decision.Verdict)
	require.Equal(t, want, decision.Begun.Outcome)
	return decision
}

// A request that takes longer than the life of a lease keeps its key. When its gateway dies, the key is free after one more
// lease, and the gateway can neither renew nor end what the next request began.
func TestHold_slowRequestKeepsKey(t *testing.T) {
	t.Parallel()
	a, call := newHolder(t, redistest.New(t, Scripts()...))
	request := newKey()
	owner := begun(t, a, call, request, idempotency.New)
	release := a.Hold(call, owner, request)
	for started := time.Now(); time.Since(started) < 2*testLease; {
		busy := begun(t, a, call, request, idempotency.Busy)
		require.LessOrEqual(t, busy.Begun.LeaseLeft, testLease)
	}
	busy := begun(t, a, call, request, idempotency.Busy)
	require.Greater(t, busy.Begun.Age, 2*testLease-100*time.Millisecond)

	release() // as if the gateway had died
	var next Decision
	require.Eventually(t, func() bool {
		var err error
		next, err = a.Begin(t.Context(), call, request)
		return err == nil && next.Begun.Outcome == idempotency.New
	}, time.Minute, 10*time.Millisecond)
	late := a.Hold(call, owner, request) // it was only paused
	defer late()
	require.Equal(t, "lost", renewal(t, a, call, owner, request))
	held, err := a.Finish(t.Context(), call, owner, request, idempotency.Ending{})
	require.NoError(t, err)
	require.False(t, held)
	begun(t, a, call, request, idempotency.Busy)
	held, err = a.Finish(t.Context(), call, next, request, idempotency.Ending{})
	require.NoError(t, err)
	require.True(t, held)
}

func renewal(t *testing.T, a *Admitter, call Call, decision Decision, request idempotency.Request) any {
	t.Helper()
	held := lease{seller: call.Key.SellerID, request: request, token: decision.ticket.token}
	answer, err := a.renewLease(&held)
	require.NoError(t, err)
	return answer
}

// Only the request that holds a key renews it. To everything else a renewal changes nothing, so that one that is overtaken by
// the end of its request leaves no key behind that nobody holds.
func TestRenew_everyEntry(t *testing.T) {
	t.Parallel()
	server := redistest.New(t, Scripts()...)
	a, call := newHolder(t, server)
	request := newKey()
	name := namesOf(call.Key.SellerID).entry(request.Digest)
	fingerprint, token, other := string(request.Fingerprint[:]), strings.Repeat("t", tokenBytes), strings.Repeat("o", tokenBytes)
	owner, began := Decision{ticket: ticket{token: token}}, strings.Repeat("\x00", 8)
	for entry, want := range map[string]string{
		"B" + fingerprint + token + began:             "renewed",
		"B" + fingerprint + other + began:             "lost",
		"B" + strings.Repeat("f", 16) + token + began: "lost",
		"X" + fingerprint + token:                     "lost",
		"R" + fingerprint:                             "lost",
		"E" + fingerprint:                             "lost",
		"":                                            "lost",
	} {
		require.NoError(t, server.Client.Del(t.Context(), name).Err())
		if entry != "" {
			require.NoError(t, server.Client.Set(t.Context(), name, entry, time.Hour).Err())
		}
		require.Equal(t, want, renewal(t, a, call, owner, request), "%q", entry)
		require.Equal(t, entry, server.Client.Get(t.Context(), name).Val())
		left := server.Client.PTTL(t.Context(), name).Val()
		if want == "renewed" {
			require.LessOrEqual(t, left, testLease, "also when the clock has expired back since")
		} else if entry != "" {
			require.Greater(t, left, time.Minute, "%q", entry)
		}
	}
}

// Redis loses a key in the middle of its request. The next request holds it then, and no renewal takes it away.
func TestHold_redisForgetsKey(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t, Scripts()...)
	a, call := newHolder(t, server)
	request := newKey()
	owner := begun(t, a, call, request, idempotency.New)
	defer a.Hold(call, owner, request)()
	require.NoError(t, server.Process.Kill())
	a.renewDue(time.Now()) // without Redis: nothing but time is lost
	require.NoError(t, server.Process.Restart(t.Context()))
	var next Decision
	require.Eventually(t, func() bool {
		_ = a.PutKey(t.Context(), call.Key, time.Time{})
		var err error
		next, err = a.Begin(t.Context(), call, request)
		return err == nil && next.Verdict == Admitted
	}, time.Minute, 10*time.Millisecond)
	require.Equal(t, idempotency.New, next.Begun.Outcome)
	a.renewDue(time.Now())
	require.Equal(t, "lost", renewal(t, a, call, owner, request))
	require.Equal(t, "renewed", renewal(t, a, call, next, request))
}

func scriptsRun(t *testing.T, server *redistest.Server) int {
	t.Helper()
	stats := server.Client.InfoMap(t.Context(), "commandstats").Val()["Commandstats"]["cmdstat_evalsha"]
	calls, _, _ := strings.Cut(strings.TrimPrefix(stats, "calls="), ",")
	count, err := strconv.Atoi(calls)
	require.NoError(t, err, stats)
	return count
}

func (a *Admitter) armed() bool {
	a.leases.mu.Lock()
	defer a.leases.mu.Unlock()
	return a.leases.armed
}

// Renewals are cheap: a request that ends soon has none, those of many requests share their round trips, and an instance whose
// requests have ended sends nothing.
func TestHold_renewalsAreCheap(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t, Scripts()...)
	a, call := newHolder(t, server)
	short := newKey()
	decision := begun(t, a, call, short, idempotency.New)
	release := a.Hold(call, decision, short)
	require.True(t, a.armed())
	before := scriptsRun(t, server)
	release()
	require.Eventually(t, func() bool { return !a.armed() }, time.Minute, time.Millisecond)
	require.Equal(t, before, scriptsRun(t, server), "the timer found nothing to renew, and has stopped")

	const many = 200
	releases := make([]func(), many)
	var wg sync.WaitGroup
	for i := range many {
		wg.Go(func() {
			request := newKey()
			if decision, err := a.Begin(t.Context(), call, request); err == nil {
				releases[i] = a.Hold(call, decision, request)
			}
		})
	}
	wg.Wait()
	before = scriptsRun(t, server)
	a.renewDue(time.Now())
	require.Less(t, scriptsRun(t, server)-before, many/4, "commands for so many leases")
	for _, release := range releases {
		release()
	}
}

// The age of a key in use is that on the clock of Redis, and never less than nothing.
func TestBusy_ageOnTheClockOfRedis(t *testing.T) {
	t.Parallel()
	r := newRig(t, operation.Process, 0)
	request := newKey()
	begun(t, r.admitter, r.call, request, idempotency.New)
	for moved, want := range map[time.Duration]time.Duration{
		0: 0, 1500 * time.Millisecond: 1500 * time.Millisecond, 50 * time.Second: 50 * time.Second, -time.Hour: 0,
	} {
		r.setClock(t, epoch+moved.Microseconds())
		require.Equal(t, want, begun(t, r.admitter, r.call, request, idempotency.Busy).Begun.Age)
	}
}

// A Redis clock that went back prolongs every expiry. A lease does not stay for that time.
func TestBusy_leaseProlongedByTheClock(t *testing.T) {
	t.Parallel()
	server := redistest.New(t, Scripts()...)
	a, call := newHolder(t, server)
	request := newKey()
	begun(t, a, call, request, idempotency.New)
	name := namesOf(call.Key.SellerID).entry(request.Digest)
	require.NoError(t, server.Client.PExpire(t.Context(), name, time.Hour).Err())
	require.LessOrEqual(t, begun(t, a, call, request, idempotency.Busy).Begun.LeaseLeft, testLease)
	require.LessOrEqual(t, server.Client.PTTL(t.Context(), name).Val(), testLease)
}

// A key that never ends is visible in the metric, which is exported before the first one is begun.
func TestObserve_oldestKey(t *testing.T) {
	t.Parallel()
	a, call := newHolder(t, redistest.New(t, Scripts()...))
	tel := telemetrytest.Discard(t)
	require.NoError(t, a.Observe(tel))
	oldest := func() float64 {
		t.Helper()
		families, err := tel.Registry.Gather()
		require.NoError(t, err)
		for _, family := range families {
			if family.GetName() == telemetry.IdempotencyOldest.Name {
				return family.GetMetric()[0].GetGauge().GetValue()
			}
		}
		require.Fail(t, "the metric is missing")
		return 0
	}
	require.Zero(t, oldest())
	first, second := a.Hold(call, Decision{}, newKey()), a.Hold(call, Decision{}, newKey())
	second()
	require.Positive(t, oldest())
	first()
	require.Zero(t, oldest())
}
