package gateway_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/service/servicetest"
	"sellerapi.dev/services/gateway/internal/ownertest"
)

type trial struct {
	*system
	key      string
	contents []string
	began    time.Time

	mu      sync.Mutex
	random  *rand.Rand
	history []porcupine.Operation
}

func (r *trial) draw(n int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.random.IntN(n)
}

func (r *trial) call(ctx context.Context, client int) (outcome string) {
	content := r.contents[r.draw(len(r.contents))]
	called := time.Since(r.began).Nanoseconds()
	got, err := r.post(ctx, r.draw(len(r.gateways)), r.key, "/open/v1/orders/"+ownertest.Success+"/preparation", content)
	outcome, returned := ownertest.Seen(got.status, got.header, []byte(got.body), err), time.Since(r.began).Nanoseconds()
	if outcome == ownertest.Lost {
		returned = math.MaxInt64
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.history = append(r.history, porcupine.Operation{
		ClientId: client, Input: ownertest.Call{Content: content, Alone: len(r.contents) == 1},
		Call: called, Output: outcome, Return: returned,
	})
	return outcome
}

// client sends a few calls; it waits for a moment when there is no response at all.
func (r *trial) client(ctx context.Context, number int) {
	for range 8 {
		if r.call(ctx, number) == ownertest.Lost {
			<-time.After(time.Duration(20+r.draw(100)) * time.Millisecond)
		}
	}
}

// faults kills and restarts one process after the other, and sometimes empties Redis.
func (r *trial) faults() {
	processes := []*servicetest.Process{r.owner, r.gateways[0], r.gateways[1]}
	for range 3 {
		<-time.After(time.Duration(r.draw(60)) * time.Millisecond)
		victim := processes[r.draw(len(processes))]
		victim.Kill()
		if r.draw(2) == 0 {
			r.flush()
		}
		victim.Start()
	}
}

func TestHistories_oneKeyThroughKills(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	s := newSystem(t, "UPSTREAM_TIMEOUT=1s")
	for n, contents := range [][]string{{"{}"}, {"{}", `{"other":1}`}, {"{}"}, {"{}", `{"other":1}`}} {
		before := s.effects()
		r := &trial{
			system: s, key: fmt.Sprint("key ", n), contents: contents, began: time.Now(),
			random: rand.New(rand.NewPCG(seed, uint64(n))),
		}
		var clients sync.WaitGroup
		for number := range 4 {
			clients.Go(func() { r.client(t.Context(), number) })
		}
		r.faults()
		clients.Wait()
		require.Eventually(t, func() bool {
			outcome := r.call(t.Context(), 4)
			return outcome != ownertest.Lost && outcome != ownertest.Busy
		}, waitFor, tick)
		require.True(t, porcupine.CheckOperations(ownertest.Model, r.history), "seed %d: %v", seed, r.history)
		require.Equal(t, before+1, s.effects(), "seed %d", seed)
	}
}
