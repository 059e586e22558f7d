package held

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// service is what the table asks: the clock of every seller, and an error while it is away.
type service struct {
	mu        sync.Mutex
	clock     int64
	away      error
	questions int
	asked     int // sellers of the last question
}

func (s *service) clocks(_ context.Context, sellers [][]byte) ([]int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.questions, s.asked = s.questions+1, len(sellers)
	micros := make([]int64, len(sellers))
	for n := range micros {
		micros[n] = s.clock
	}
	return micros, s.away
}

func (s *service) set(clock int64, away error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock, s.away = clock, away
}

// counts returns the number of questions, and of sellers of the last one.
func (s *service) counts() [2]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return [2]int{s.questions, s.asked}
}

// hold runs a test of a table in a bubble with a fake clock.
func hold(t *testing.T, limit int, body func(t *testing.T, table *Table, asked *service)) {
	t.Helper()
	tel := telemetrytest.Discard(t)
	synctest.Test(t, func(t *testing.T) {
		asked := &service{clock: 5}
		table := New(Options{Max: limit, Clocks: map[operation.Service]Clocks{operation.Orders: asked.clocks}, Telemetry: tel})
		ctx, cancel := context.WithCancel(t.Context())
		go table.Keep(ctx)
		body(t, table, asked)
		cancel()
		synctest.Wait()
		require.Empty(t, table.calls)
		require.InDelta(t, 0, testutil.ToFloat64(table.gauge), 0)
	})
}

func (t *Table) start(ctx context.Context, seller uuid.UUID, key Key, clock int64, most time.Duration) <-chan End {
	ended := make(chan End, 1)
	go func() { ended <- t.Hold(ctx, operation.Orders, seller, key, clock, most) }()
	synctest.Wait()
	return ended
}

func newKey() Key { return Key{KeyID: uuid.New(), List: operation.ListOrders} }

// A call ends within a second of the question after the clock has moved, and not before.
func TestHold_moved(t *testing.T) {
	t.Parallel()
	hold(t, 10, func(t *testing.T, table *Table, asked *service) {
		t.Helper()
		began := time.Now()
		ended := table.start(t.Context(), uuid.New(), newKey(), 5, 25*time.Second)
		<-time.After(3500 * time.Millisecond)
		require.Empty(t, ended)
		asked.set(6, nil)
		require.Equal(t, Moved, <-ended)
		require.Equal(t, 4*time.Second, time.Since(began))
	})
}

// What changed between the answer of the service and the first question is not lost; a clock that went back counts too.
func TestHold_clockAlreadyOther(t *testing.T) {
	t.Parallel()
	hold(t, 10, func(t *testing.T, table *Table, _ *service) {
		t.Helper()
		require.Equal(t, Moved, <-table.start(t.Context(), uuid.New(), newKey(), 4, 25*time.Second))
		require.Equal(t, Moved, <-table.start(t.Context(), uuid.New(), newKey(), 6, 25*time.Second))
	})
}

// One question a second is about each seller once; without held calls there is none.
func TestHold_oneQuestionForAll(t *testing.T) {
	t.Parallel()
	hold(t, 10, func(t *testing.T, table *Table, asked *service) {
		t.Helper()
		<-time.After(5250 * time.Millisecond)
		require.Equal(t, [2]int{}, asked.counts())
		a, b := uuid.New(), uuid.New()
		for _, seller := range []uuid.UUID{a, a, b} {
			table.start(t.Context(), seller, newKey(), 5, 2500*time.Millisecond)
		}
		<-time.After(10 * time.Second)
		require.Equal(t, [2]int{2, 2}, asked.counts())
	})
}

// A call whose time is over ends unchanged, also while its service is away.
func TestHold_unchanged(t *testing.T) {
	t.Parallel()
	hold(t, 10, func(t *testing.T, table *Table, asked *service) {
		t.Helper()
		asked.set(5, errors.New("away"))
		began := time.Now()
		require.Equal(t, Unchanged, <-table.start(t.Context(), uuid.New(), newKey(), 4, 7*time.Second))
		require.Equal(t, 7*time.Second, time.Since(began))
		asked.set(5, nil)
		require.Equal(t, Moved, <-table.start(t.Context(), uuid.New(), newKey(), 4, 7*time.Second))
	})
}

// A second call of a key for a list ends the first; other lists and keys are not concerned.
func TestHold_replaced(t *testing.T) {
	t.Parallel()
	hold(t, 2, func(t *testing.T, table *Table, _ *service) {
		t.Helper()
		seller, key := uuid.New(), newKey()
		first := table.start(t.Context(), seller, key, 5, 20*time.Second)
		other := table.start(t.Context(), seller, newKey(), 5, 20*time.Second)
		second := table.start(t.Context(), seller, key, 5, 20*time.Second)
		require.Equal(t, Replaced, <-first)
		require.Empty(t, other)
		require.Equal(t, Unchanged, <-second)
		require.Equal(t, Unchanged, <-other)
	})
}

// Beyond the limit, and for a service that cannot be asked, a call is not held.
func TestHold_full(t *testing.T) {
	t.Parallel()
	hold(t, 1, func(t *testing.T, table *Table, _ *service) {
		t.Helper()
		ended := table.start(t.Context(), uuid.New(), newKey(), 5, 20*time.Second)
		require.Equal(t, Full, <-table.start(t.Context(), uuid.New(), newKey(), 5, 20*time.Second))
		require.Equal(t, Unchanged, <-ended)
		require.Equal(t, Full, table.Hold(t.Context(), operation.QnA, uuid.New(), newKey(), 5, time.Second))
	})
}

// A client that disconnects frees its place.
func TestHold_gone(t *testing.T) {
	t.Parallel()
	hold(t, 1, func(t *testing.T, table *Table, _ *service) {
		t.Helper()
		ctx, disconnect := context.WithCancel(t.Context())
		ended := table.start(ctx, uuid.New(), newKey(), 5, 20*time.Second)
		disconnect()
		require.Equal(t, Gone, <-ended)
		require.Equal(t, Unchanged, <-table.start(t.Context(), uuid.New(), newKey(), 5, time.Second))
	})
}

// An instance that drains ends all calls, and holds none any more.
func TestHold_drained(t *testing.T) {
	t.Parallel()
	hold(t, 10, func(t *testing.T, table *Table, _ *service) {
		t.Helper()
		ended := table.start(t.Context(), uuid.New(), newKey(), 5, 20*time.Second)
		table.Drain()
		require.Equal(t, Drained, <-ended)
		require.Equal(t, Drained, <-table.start(t.Context(), uuid.New(), newKey(), 5, 20*time.Second))
	})
}
