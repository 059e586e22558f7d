package admission_test

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/idempotency"
)

func TestRedisAway_failsFastAndRecovers(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t)
	_, call := start(t, server.Client)
	impatient := limits
	impatient.Timeout = 140 * time.Millisecond
	admitter := admission.New(server.Client, impatient, locks)
	require.NoError(t, syscall.Kill(server.Process.PID(), syscall.SIGSTOP))
	refusals := 0
	for ; refusals < 20; refusals++ {
		began := time.Now()
		_, err := admitter.Charge(t.Context(), call)
		require.ErrorIs(t, err, apierr.RateLimitUnavailable)
		if time.Since(began) < impatient.Timeout/2 {
			break
		}
	}
	require.Less(t, refusals, 20, "the breaker never opened")
	require.NoError(t, syscall.Kill(server.Process.PID(), syscall.SIGCONT))
	require.Eventually(t, func() bool {
		decision, err := admitter.Charge(context.WithoutCancel(t.Context()), call)
		return err == nil && decision.Verdict == admission.Admitted
	}, time.Minute, 20*time.Millisecond)
}

// Redis continues while it still executes what it was sent, after its caller was told that nothing was processed.
func TestAbandonedCall_releasesBegunKey(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t)
	_, call := start(t, server.Client)
	impatient := limits
	impatient.Timeout = 140 * time.Millisecond
	admitter, patient := admission.New(server.Client, impatient, locks), admission.New(server.Client, limits, locks)
	for range 5 {
		request := newRequest()
		require.NoError(t, syscall.Kill(server.Process.PID(), syscall.SIGSTOP))
		_, err := admitter.Begin(t.Context(), processCall(call), request)
		require.NoError(t, syscall.Kill(server.Process.PID(), syscall.SIGCONT))
		require.ErrorIs(t, err, apierr.RateLimitUnavailable)
		admitter.Drain()
		require.Eventually(t, func() bool {
			decision, err := patient.Begin(t.Context(), processCall(call), request)
			return err == nil && decision.Begun.Outcome == idempotency.New
		}, time.Minute, 20*time.Millisecond)
	}
}

// Redis executes the commands that waited while it was halted. Their callers were told long before that they were not processed.
func TestRedisHalted_abandonedCallsHaveNoEffect(t *testing.T) {
	t.Parallel()
	for name, send := range map[string]func(*admission.Admitter, admission.Call, idempotency.Request) (admission.Decision, error){
		"charge": func(a *admission.Admitter, call admission.Call, _ idempotency.Request) (admission.Decision, error) {
			return a.Charge(t.Context(), processCall(call))
		},
		"begin": func(a *admission.Admitter, call admission.Call, request idempotency.Request) (admission.Decision, error) {
			return a.Begin(t.Context(), processCall(call), request)
		},
	} {
		server := redistest.Own(t)
		impatient := limits
		impatient.Timeout = 140 * time.Millisecond
		_, call := start(t, server.Client)
		admitter, request := admission.New(server.Client, impatient, locks), newRequest()
		require.Eventually(t, func() bool {
			decision, err := admitter.Look(t.Context(), processCall(call)) // and Redis has responded
			return err == nil && decision.Verdict == admission.Admitted
		}, time.Minute, 20*time.Millisecond)
		require.NoError(t, syscall.Kill(server.Process.PID(), syscall.SIGSTOP))
		_, err := send(admitter, call, request)
		require.ErrorIs(t, err, apierr.RateLimitUnavailable, name)
		abandoned := time.Now() // Redis would still execute it for the rest of the timeout, by its own clock
		require.Eventually(t, func() bool { return time.Since(abandoned) > impatient.Timeout }, time.Minute, 20*time.Millisecond)
		require.NoError(t, syscall.Kill(server.Process.PID(), syscall.SIGCONT))
		require.Eventually(t, func() bool { // what was sent on the connection that was given up has been executed
			open := strings.Count(server.Client.ClientList(t.Context()).Val(), "\n")
			return open == int(server.Client.PoolStats().TotalConns)
		}, time.Minute, 20*time.Millisecond)
		patient := admission.New(server.Client, limits, locks)
		decision, err := patient.Begin(t.Context(), processCall(call), request)
		require.NoError(t, err)
		require.Equal(t, idempotency.New, decision.Begun.Outcome, name)
		require.Equal(t, impatient.Process-1, decision.Usage.Remaining(), name)
	}
}
