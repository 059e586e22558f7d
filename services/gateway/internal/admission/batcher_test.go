package admission

import (
	"context"
	"fmt"
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
		r.sizes = append(r.sizes, calls(commands))
		r.mu.Unlock()
		r.meet(number)
		return next(ctx, commands)
	}
}

// calls returns the number of script calls, of one key each, in the commands.
func calls(commands []goredis.Cmder) (n int) {
	for _, command := range commands {
		n += (len(command.Args()) - len([]string{"evalsha", "digest", "number of keys", "number of calls"})) / 2
	}
	return n
}

// counted and other count their calls and return the argument.
var (
	counted = redis.NewScript("counted", eachScript+counting)
	other   = redis.NewScript("other", "-- other\n"+eachScript+counting)
)

const counting = `
return each_call(function(before, argument)
  redis.call('INCR', KEYS[before + 1])
  return argument
end)`

// batcherRig is a batcher whose first round trip waits for the test.
type batcherRig struct {
	*batcher
	*roundTrips
	server       *redistest.Server
	reached      chan struct{}
	goOn         chan struct{}
	wg           sync.WaitGroup
	mu           sync.Mutex
	misdelivered []int
}

const longTimeout = time.Minute

func newBatcherRig(t *testing.T, overdue time.Duration) *batcherRig {
	t.Helper()
	r := &batcherRig{server: redistest.New(t, counted, other), reached: make(chan struct{}), goOn: make(chan struct{})}
	r.roundTrips = &roundTrips{meet: func(number int) {
		if number == 0 {
			close(r.reached)
			<-r.goOn
		}
	}}
	r.server.Client.AddHook(r.roundTrips)
	r.batcher = &batcher{client: r.server.Client, timeout: longTimeout, overdue: overdue}
	return r
}

func (r *batcherRig) call(t *testing.T, script *redis.Script, key string, number int) (any, error) {
	t.Helper()
	return r.run(t.Context(), script, []string{key}, []any{strconv.Itoa(number)}, time.Now().Add(longTimeout))
}

// send runs the script for a caller with this number, and requires the caller's own result.
func (r *batcherRig) send(t *testing.T, number int) {
	t.Helper()
	r.wg.Go(func() {
		answer, err := r.call(t, counted, "runs", number)
		if err != nil || answer != strconv.Itoa(number) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.misdelivered = append(r.misdelivered, number)
		}
	})
}

func (r *batcherRig) awaitWaiting(t *testing.T, n int) {
	t.Helper()
	require.Eventually(t, func() bool {
		r.batcher.mu.Lock()
		defer r.batcher.mu.Unlock()
		return len(r.waiting) == n
	}, longTimeout, time.Millisecond)
}

func (r *batcherRig) runs(t *testing.T) int {
	t.Helper()
	n, err := r.server.Client.Get(t.Context(), "runs").Int()
	require.NoError(t, err)
	return n
}

func TestBatcher_sharesNextRoundTrip(t *testing.T) {
	t.Parallel()
	r := newBatcherRig(t, time.Hour)
	r.send(t, 0)
	<-r.reached
	for number := 1; number <= 150; number++ {
		r.send(t, number)
	}
	r.awaitWaiting(t, 150)
	close(r.goOn)
	r.wg.Wait()
	require.Empty(t, r.misdelivered)
	require.Equal(t, []int{1, maxBatch, maxBatch, 150 - 2*maxBatch}, r.sizes)
	require.Equal(t, 151, r.runs(t))
}

func TestBatcher_hangingRoundTrip(t *testing.T) {
	t.Parallel()
	r := newBatcherRig(t, 0)
	r.send(t, 0)
	<-r.reached
	for number := 1; number <= 20; number++ {
		answer, err := r.call(t, counted, "runs", number)
		require.NoError(t, err)
		require.Equal(t, strconv.Itoa(number), answer)
	}
	require.Equal(t, 20, r.runs(t))
	close(r.goOn)
	r.wg.Wait()
	require.Empty(t, r.misdelivered)
}

// A call whose caller was told that it was not processed must not be processed later.
func TestBatcher_callerLeftBeforeSending(t *testing.T) {
	t.Parallel()
	r := newBatcherRig(t, time.Hour)
	r.send(t, 0)
	<-r.reached
	for number := 1; number <= 5; number++ {
		_, err := r.run(t.Context(), counted, []string{"runs"}, []any{"0"}, time.Now().Add(time.Millisecond))
		require.ErrorIs(t, err, context.DeadlineExceeded)
	}
	close(r.goOn)
	r.wg.Wait()
	require.Equal(t, 1, r.runs(t))
	require.Equal(t, []int{1}, r.sizes)
}

func TestBatcher_answersAndFailuresApart(t *testing.T) {
	t.Parallel()
	r := newBatcherRig(t, time.Hour)
	require.NoError(t, r.server.Client.Set(t.Context(), "not a number", "x", 0).Err())
	r.send(t, 0)
	<-r.reached
	failed := make(chan error, 3)
	for number := 1; number <= 30; number++ {
		script, key := counted, "runs"
		if number%2 == 0 {
			script = other
		}
		if number%10 == 0 {
			key = "not a number"
		}
		r.wg.Go(func() {
			answer, err := r.call(t, script, key, number)
			if err != nil {
				failed <- err
			} else if answer != strconv.Itoa(number) {
				failed <- fmt.Errorf("%d got %v", number, answer)
			}
		})
	}
	r.awaitWaiting(t, 30)
	close(r.goOn)
	r.wg.Wait()
	close(failed)
	problems := 0
	for err := range failed {
		require.ErrorContains(t, err, "not an integer")
		problems++
	}
	require.Equal(t, 3, problems)
	require.Equal(t, 1+27, r.runs(t))
	require.Equal(t, []int{1, 30}, r.sizes)
}

// A call that was to make a round trip, but finds that an overdue one has taken its entry, leaves the count of round trips
// unchanged: if the count were wrong, calls would wait for a round trip that is never made.
func TestBatcher_takenMeanwhile(t *testing.T) {
	t.Parallel()
	b := &batcher{client: redistest.New(t).Client, timeout: time.Second, overdue: overdueAfter}
	e := newScriptCall(counted, []string{"k"}, []any{"a"})
	require.True(t, b.enqueue(e))
	b.remove(e) // as the overdue round trip does
	b.sendFirst()
	require.Zero(t, b.busy)
	require.True(t, b.enqueue(e))
}
