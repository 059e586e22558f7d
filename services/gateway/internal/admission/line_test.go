package admission

import (
	"context"
	"net"
	"strconv"
	"sync"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/redis/redistest"
)

// roundTrips notes what a client sends together and lets the test hold it up.
type roundTrips struct {
	meet func(number int) // called for each, from 0 on

	mu    sync.Mutex
	sizes []int
}

// DialHook implements goredis.Hook.
func (r *roundTrips) DialHook(next goredis.DialHook) goredis.DialHook {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		return next(ctx, network, address)
	}
}

// ProcessHook implements goredis.Hook.
func (r *roundTrips) ProcessHook(next goredis.ProcessHook) goredis.ProcessHook { return next }

// ProcessPipelineHook implements goredis.Hook.
func (r *roundTrips) ProcessPipelineHook(next goredis.ProcessPipelineHook) goredis.ProcessPipelineHook {
	return func(ctx context.Context, commands []goredis.Cmder) error {
		r.mu.Lock()
		number := len(r.sizes)
		r.sizes = append(r.sizes, len(commands))
		r.mu.Unlock()
		r.meet(number)
		return next(ctx, commands)
	}
}

// counted counts its runs and returns its argument.
var counted = redis.NewScript("counted", "redis.call('INCR', KEYS[1]) return ARGV[1]")

// lineRig is a line whose first round trip waits for the test.
type lineRig struct {
	*line
	*roundTrips
	server       *redistest.Server
	reached      chan struct{}
	goOn         chan struct{}
	wg           sync.WaitGroup
	mu           sync.Mutex
	misdelivered []int
}

func newLineRig(t *testing.T, overdue time.Duration) *lineRig {
	t.Helper()
	const patience = 20 * time.Second
	r := &lineRig{server: redistest.New(t, counted), reached: make(chan struct{}), goOn: make(chan struct{})}
	r.roundTrips = &roundTrips{meet: func(number int) {
		if number == 0 {
			close(r.reached)
			<-r.goOn
		}
	}}
	r.server.Client.AddHook(r.roundTrips)
	r.line = &line{client: r.server.Client, timeout: patience, overdue: overdue}
	return r
}

// send runs the script for a caller with this number; the answer must be his.
func (r *lineRig) send(t *testing.T, number int) {
	t.Helper()
	r.wg.Go(func() {
		result, err := r.run(t.Context(), counted, []string{"runs"}, []any{number})
		if err != nil || result != any(strconv.Itoa(number)) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.misdelivered = append(r.misdelivered, number)
		}
	})
}

// runs is how often the script ran.
func (r *lineRig) runs(t *testing.T) int {
	t.Helper()
	n, err := r.server.Client.Get(t.Context(), "runs").Int()
	require.NoError(t, err)
	return n
}

func TestScriptsThatComeWhileARoundTripIsUnderWayShareTheNextOnes(t *testing.T) {
	t.Parallel()
	r := newLineRig(t, time.Hour)
	r.send(t, 0)
	<-r.reached
	for number := 1; number <= 150; number++ {
		r.send(t, number)
	}
	require.Eventually(t, func() bool {
		r.line.mu.Lock()
		defer r.line.mu.Unlock()
		return len(r.waiting) == 150
	}, 20*time.Second, time.Millisecond)
	close(r.goOn)
	r.wg.Wait()
	require.Empty(t, r.misdelivered)
	require.Equal(t, []int{1, together, together, 150 - 2*together}, r.sizes)
	require.Equal(t, 151, r.runs(t))
}

func TestARoundTripThatHangsHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	r := newLineRig(t, 0)
	r.send(t, 0)
	<-r.reached
	for number := 1; number <= 20; number++ {
		result, err := r.run(t.Context(), counted, []string{"runs"}, []any{number})
		require.NoError(t, err)
		require.Equal(t, strconv.Itoa(number), result)
	}
	require.Equal(t, 20, r.runs(t))
	close(r.goOn)
	r.wg.Wait()
	require.Empty(t, r.misdelivered)
}

// Whoever was told that his call was not processed must not find it processed later.
func TestAScriptWhoseCallerLeftIsNotSent(t *testing.T) {
	t.Parallel()
	r := newLineRig(t, time.Hour)
	r.send(t, 0)
	<-r.reached
	for number := 1; number <= 5; number++ {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		_, err := r.run(ctx, counted, []string{"runs"}, []any{number})
		cancel()
		require.ErrorIs(t, err, context.DeadlineExceeded)
	}
	close(r.goOn)
	r.wg.Wait()
	require.Equal(t, 1, r.runs(t))
	require.Equal(t, []int{1}, r.sizes)
}
