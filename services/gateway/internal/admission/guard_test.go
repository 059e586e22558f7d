package admission

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

type replyError string

func (r replyError) Error() string { return string(r) }
func (replyError) RedisError()     {}

// A breaker that opens for any reason but an unreachable Redis would refuse the calls of all sellers because of the trouble of
// one.
func TestClassify(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err                        error
		nothingHeard, others, late evidence // since the command was sent; others got a reply; the command ended late
	}{
		"reply":              {nil, present, present, present},
		"out of memory":      {replyError("OOM command not allowed"), present, present, present},
		"loading data":       {replyError("LOADING Redis is loading"), present, present, present},
		"unknown script":     {replyError("NOSCRIPT No matching script"), present, present, present},
		"wrong type":         {replyError("WRONGTYPE Operation"), present, present, present},
		"read-only replica":  {fmt.Errorf("run: %w", replyError("READONLY You can't write")), present, present, present},
		"too few replicas":   {replyError("NOREPLICAS Not enough good replicas"), present, present, present},
		"unexpected reply":   {errReply, present, present, present},
		"pool in use":        {goredis.ErrPoolTimeout, unknown, unknown, unknown},
		"pool exhausted":     {fmt.Errorf("get: %w", goredis.ErrPoolExhausted), unknown, unknown, unknown},
		"caller left":        {context.Canceled, unknown, unknown, unknown},
		"deadline":           {context.DeadlineExceeded, absent, present, unknown},
		"socket deadline":    {&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, absent, present, unknown},
		"connection refused": {&net.OpError{Op: "dial", Err: errors.New("refused")}, absent, absent, absent},
		"closed connection":  {io.EOF, absent, absent, absent},
	} {
		require.Equal(t, test.nothingHeard, classify(test.err, circumstances{}), name)
		require.Equal(t, test.others, classify(test.err, circumstances{answered: true}), name)
		require.Equal(t, test.late, classify(test.err, circumstances{late: true}), name)
	}
}

// detour is a hook that handles commands itself while the test has set it.
type detour struct {
	take atomic.Pointer[func(goredis.Cmder) error] // nil: everything is sent to Redis
}

func (d *detour) DialHook(next goredis.DialHook) goredis.DialHook { return next }

func (d *detour) ProcessHook(next goredis.ProcessHook) goredis.ProcessHook {
	return func(ctx context.Context, command goredis.Cmder) error {
		if take := d.take.Load(); take != nil {
			if err := (*take)(command); err != nil {
				command.SetErr(err)
				return err
			}
		}
		return next(ctx, command)
	}
}

func (d *detour) ProcessPipelineHook(next goredis.ProcessPipelineHook) goredis.ProcessPipelineHook {
	return next
}

// guarded returns a guard on a real Redis whose commands are sent one by one, and can be handled by the test.
func guarded(t *testing.T) (*guard, *detour, *redistest.Server) {
	t.Helper()
	server := redistest.New(t, counted)
	d := &detour{}
	server.Client.AddHook(d)
	g := newGuard(server.Client, longTimeout)
	g.batcher = nil
	return g, d, server
}

func (g *guard) count(t *testing.T, key string) error {
	t.Helper()
	_, err := g.run(t.Context(), counted, []string{key}, "1")
	return err
}

// A Redis that replies with errors is reachable, and reports at once what is wrong.
func TestGuard_errorRepliesKeepItClosed(t *testing.T) {
	t.Parallel()
	g, _, server := guarded(t)
	require.NoError(t, server.Client.LPush(t.Context(), "list", "x").Err())
	for range 10 * breakerCommands {
		require.ErrorIs(t, g.count(t, "list"), apierr.RateLimitUnavailable)
	}
	require.True(t, g.only.breaker.IsClosed())
	require.NoError(t, g.count(t, "runs"))
}

// If commands hang while others get replies, a connection hangs, and Redis is not unreachable.
func TestGuard_hangingCommandsDoNotOpenIt(t *testing.T) {
	t.Parallel()
	g, d, _ := guarded(t)
	const hanging = 4 * breakerCommands
	reached, goOn := make(chan struct{}, hanging), make(chan struct{})
	hang := func(command goredis.Cmder) error {
		if command.Args()[3] != "hangs" {
			return nil
		}
		reached <- struct{}{}
		<-goOn
		return context.DeadlineExceeded
	}
	d.take.Store(&hang)
	var wg sync.WaitGroup
	for range hanging {
		wg.Go(func() { _ = g.count(t, "hangs") })
	}
	for range hanging {
		<-reached
	}
	require.NoError(t, g.count(t, "runs"))
	close(goOn)
	wg.Wait()
	require.True(t, g.only.breaker.IsClosed())
}

// A pool without a free connection is no evidence, and must not leave a trial unfinished, because then no further one would be
// made.
func TestGuard_everyTrialHasAnEnd(t *testing.T) {
	t.Parallel()
	g, d, _ := guarded(t)
	exhausted := func(goredis.Cmder) error { return goredis.ErrPoolTimeout }
	d.take.Store(&exhausted)
	for range 4 * breakerCommands {
		require.ErrorIs(t, g.count(t, "runs"), goredis.ErrPoolTimeout)
	}
	require.True(t, g.only.breaker.IsClosed(), "a full pool does not open it")
	for range 3 {
		g.only.breaker.HalfOpen()
		require.ErrorIs(t, g.count(t, "runs"), goredis.ErrPoolTimeout)
		require.False(t, g.only.breaker.IsHalfOpen())
	}
	d.take.Store(nil)
	require.Eventually(t, func() bool { return g.count(t, "runs") == nil }, time.Minute, 10*time.Millisecond)
	require.True(t, g.only.breaker.IsClosed())
}

// An unreachable Redis opens the breaker, and one that is reachable again closes it.
func TestGuard_opensWhenRedisIsCutOff(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	path := redistest.NewPath(t, server.Config.URL)
	remote := *server
	remote.Config.URL = path.URL()
	g := newGuard(remote.Open(t, telemetrytest.Discard(t), counted), longTimeout)
	require.NoError(t, g.count(t, "runs"))
	path.Cut()
	require.Eventually(t, func() bool { return errors.Is(g.count(t, "runs"), errOpen) }, time.Minute, time.Millisecond)
	path.Mend()
	require.Eventually(t, func() bool { return g.count(t, "runs") == nil }, time.Minute, 10*time.Millisecond)
	require.True(t, g.only.breaker.IsClosed())
}
