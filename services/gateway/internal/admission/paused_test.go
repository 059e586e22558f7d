package admission

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

// childRedis is the variable with the URL of Redis for the process that is paused.
const childRedis = "ADMISSION_TEST_REDIS_URL"

// patience is how long a call of that process waits for Redis: longer than a loaded machine delays it, shorter than a pause.
const patience = time.Second

func TestMain(m *testing.M) {
	if url := os.Getenv(childRedis); url != "" {
		callForever(url)
	}
	os.Exit(m.Run())
}

// callForever makes calls, more than the breaker needs, each of which is waiting for Redis most of the time, and prints a line
// once they began and one for each that was refused because the breaker was open.
func callForever(url string) {
	options, err := goredis.ParseURL(url)
	if err != nil {
		panic(err)
	}
	admitter := New(goredis.NewClient(options), ratelimit.Config{
		Window: time.Minute, Read: 1e6, Process: 1e6, Rows: 1e8,
		Timeout: patience,
	}, idempotency.Config{})
	call := Call{Key: apikey.Key{SellerID: uuid.New(), ID: uuid.New(), Version: 1}, Class: operation.Read}
	if err := admitter.PutKey(background(), call.Key, time.Time{}); err != nil {
		panic(err)
	}
	_, _ = fmt.Fprintln(os.Stdout, "calling")
	var group sync.WaitGroup
	for range 8 * breakerCommands {
		group.Go(func() {
			for {
				if _, err := admitter.Charge(background(), call); errors.Is(err, errOpen) {
					_, _ = fmt.Fprintln(os.Stdout, "open")
				}
			}
		})
	}
	group.Wait()
}

// A gateway that did not run for a while finds that the deadlines of its commands have passed, although Redis has answered
// them: if its breaker opened, a slow instance would refuse calls that Redis could decide.
func TestGuard_pausedProcessDoesNotOpenIt(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t)
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childRedis+"="+server.Config.URL.Reveal())
	child.Stderr = os.Stderr
	output, err := child.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, child.Start())
	t.Cleanup(func() { _ = child.Wait() })
	lines := bufio.NewScanner(output)
	require.True(t, lines.Scan())
	for range 2 {
		pause(t, server, child.Process)
	}
	require.NoError(t, child.Process.Kill(), "it has not ended by itself")
	var refused []string
	for lines.Scan() {
		refused = append(refused, lines.Text())
	}
	require.Empty(t, strings.Join(refused, " "))
}

// pause stops a process whose commands Redis has received and not answered yet, for longer than the period that the breaker
// looks at, and lets it go on for a moment.
func pause(t *testing.T, server *redistest.Server, process *os.Process) {
	t.Helper()
	require.NoError(t, server.Client.ClientPause(t.Context(), patience/4).Err())
	for _, step := range []struct {
		signal os.Signal
		lasts  time.Duration
	}{{syscall.SIGSTOP, breakerPeriod + patience}, {syscall.SIGCONT, probePause}} {
		require.NoError(t, process.Signal(step.signal))
		began := server.Client.Time(t.Context()).Val()
		require.Eventually(t, func() bool {
			return server.Client.Time(t.Context()).Val().Sub(began) > step.lasts
		}, time.Minute, 20*time.Millisecond)
	}
}
