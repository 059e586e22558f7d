package rest_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/services/gateway/internal/ownertest"
)

func TestHistoryModel_acceptsOnlyLegalHistories(t *testing.T) {
	t.Parallel()
	type step struct{ content, outcome string }
	check := func(alone bool, steps ...step) bool {
		history := make([]porcupine.Operation, 0, len(steps))
		for i, s := range steps {
			end := int64(10*i + 5)
			if s.outcome == ownertest.Lost {
				end = math.MaxInt64
			}
			history = append(history, porcupine.Operation{
				ClientId: i, Input: ownertest.Call{Content: s.content, Alone: alone}, Call: int64(10 * i), Output: s.outcome, Return: end,
			})
		}
		return porcupine.CheckOperations(ownertest.Model, history)
	}
	for _, good := range [][]step{
		{{"a", "1"}, {"a", "1"}, {"b", ownertest.Reused}},
		{{"a", ownertest.Lost}, {"a", "1"}, {"a", "1"}},
		{{"a", ownertest.Lost}, {"b", "1"}, {"a", ownertest.Reused}},
		{{"a", ownertest.Lost}, {"b", ownertest.Reused}, {"a", "1"}},
		{{"a", ownertest.Invalid}, {"b", "1"}},
		{{"a", ownertest.Busy}, {"a", "1"}},
	} {
		require.True(t, check(false, good...), good)
	}
	for _, bad := range [][]step{
		{{"a", "1"}, {"a", "2"}},
		{{"a", "1"}, {"b", "2"}},
		{{"a", "1"}, {"b", "1"}},
		{{"a", "1"}, {"a", ownertest.Reused}},
		{{"a", "1"}, {"a", ownertest.Invalid}},
		{{"a", "1"}, {"a", ownertest.Lost}, {"a", "2"}},
	} {
		require.False(t, check(false, bad...), bad)
	}
	require.False(t, check(true, step{"a", ownertest.Reused}), "no conflict with a single content")
}

// trial is a number of clients that send calls with one key to two gateways during failures.
type trial struct {
	gateways []*fixture
	text     string
	key      string
	contents []string
	began    time.Time

	mu      sync.Mutex
	random  *rand.Rand
	history []porcupine.Operation
}

// draw returns a number below n, reproducible by the seed as far as the order of the draws is.
func (r *trial) draw(n int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.random.IntN(n)
}

// call sends one call, may disconnect before its response, and records the result.
func (r *trial) call(t *testing.T, client int, patient bool) string {
	t.Helper()
	content := r.contents[r.draw(len(r.contents))]
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if !patient && r.draw(4) == 0 {
		time.AfterFunc(time.Duration(r.draw(8000))*time.Microsecond, cancel)
	}
	called := time.Since(r.began).Nanoseconds()
	got, err := r.gateways[r.draw(len(r.gateways))].try(ctx, posting(r.text, r.key, prepare(ownertest.Success), content))
	outcome, returned := ownertest.Seen(got.status, got.header, got.body, err), time.Since(r.began).Nanoseconds()
	if outcome == ownertest.Lost {
		returned = math.MaxInt64
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.history = append(r.history, porcupine.Operation{
		ClientId: client, Input: ownertest.Call{Content: content, Alone: len(r.contents) == 1}, Call: called,
		Output: outcome, Return: returned,
	})
	return outcome
}

// Whatever clients do with one key, and whatever fails meanwhile, their history is consistent with a single first response.
func TestHistories_oneKeyOneFirstAnswer(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for n, contents := range [][]string{{"{}"}, {"{}", `{"other":1}`}, {"{}", `{"other":1}`, `{"wrong":1}`}} {
		t.Run(fmt.Sprint(len(contents), " contents"), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, uint64(n)))
			var mu sync.Mutex
			b, o := owned(t, setting{limits: plenty}, inbox.Config{}, func(ownertest.Point, string) {
				mu.Lock()
				dies := random.IntN(12) == 0
				mu.Unlock()
				if dies {
					panic(http.ErrAbortHandler)
				}
			})
			_, text := b.key(t)
			gateways := []*fixture{b, b.replica(t)}
			for i := range 12 {
				r := &trial{
					gateways: gateways, text: text, key: uuid.NewString(), contents: contents, began: time.Now(),
					random: rand.New(rand.NewPCG(seed, uint64(100*n+i))),
				}
				before := o.effects(t)
				r.run(t)
				require.LessOrEqual(t, o.effects(t)-before, 1)
				require.True(t, porcupine.CheckOperations(ownertest.Model, r.history), "seed %d: %v", seed, r.history)
			}
		})
	}
}

// run lets six clients send four calls each while Redis sometimes loses its data, and at the end retries until there is a final
// response.
func (r *trial) run(t *testing.T) {
	t.Helper()
	var clients sync.WaitGroup
	var over atomic.Bool
	for client := range 6 {
		clients.Go(func() {
			for range 4 {
				r.call(t, client, false)
			}
		})
	}
	var faults sync.WaitGroup
	faults.Go(func() {
		for !over.Load() {
			<-time.After(time.Duration(5+r.draw(20)) * time.Millisecond)
			_ = r.gateways[0].redis.Client.FlushDB(t.Context()).Err()
		}
	})
	clients.Wait()
	over.Store(true)
	faults.Wait()
	require.Eventually(t, func() bool {
		outcome := r.call(t, 6, true)
		return outcome != ownertest.Lost && outcome != ownertest.Busy
	}, waitFor, tick)
}

// All calls but one get either the first response or the error that it does not exist yet.
func TestIdempotencyKey_400ConcurrentCalls(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: plenty}, inbox.Config{}, nil)
	gateways := []*fixture{b, b.replica(t)}
	_, text := b.key(t)
	for name, sent := range map[string]call{
		"with a body":    posting(text, uuid.NewString(), prepare(ownertest.Success), "{}"),
		"without a body": posting(text, uuid.NewString(), approve(ownertest.Success), ""),
	} {
		before := o.effects(t)
		answers := make([]answer, 400)
		failures := make([]error, len(answers))
		start := make(chan struct{})
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() {
				<-start
				answers[i], failures[i] = gateways[i%2].try(t.Context(), sent)
			})
		}
		close(start)
		wg.Wait()
		first := b.send(t, sent)
		effectIn(t, first)
		firsts := 0
		for i, got := range answers {
			require.NoError(t, failures[i])
			if got.status == http.StatusConflict {
				require.Equal(t, "IDEMPOTENCY_IN_PROGRESS", codeOf(t, got))
				continue
			}
			require.Equal(t, string(first.body), string(got.body), name)
			if got.header.Get(inbox.ReplayedHeader) == "" {
				firsts++
			}
		}
		require.Equal(t, 1, firsts, name)
		require.Equal(t, before+1, o.effects(t), name)
		require.Equal(t, before+1, o.stored(t), name)
	}
}
