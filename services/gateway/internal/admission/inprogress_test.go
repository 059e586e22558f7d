package admission

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/gateway/internal/idempotency"
)

// refusal is what a refused call is charged by: its key and the second.
type refusal struct {
	key    int
	second int64
}

// charges is the model of a window of calls that are refused as in progress, among others: the times of its charges, one for each
// refusal and one for each other call.
type charges struct {
	*rig
	rt       *rapid.T
	requests []idempotency.Request
	refused  map[refusal]bool
}

func (c *charges) send(key int) {
	known := c.refused[refusal{key, c.model.now / 1e6}]
	fits := known || c.model.wait() == 0
	decision, err := c.admitter.Begin(background(), c.call, c.requests[key])
	require.NoError(c.rt, err)
	require.Equal(c.rt, fits, decision.Verdict == Admitted)
	if fits && !known {
		c.charged(key)
	}
	c.compare(decision)
}

// sendLate sends a call that is charged from its head, and whose body comes after a pause and other calls. It keeps its charge.
func (c *charges) sendLate(key int, pause int64, others int) {
	if c.model.wait() != 0 {
		return
	}
	head, err := c.admitter.Charge(background(), c.call)
	require.NoError(c.rt, err)
	c.model.charge(0)
	for range others {
		c.setClock(c.rt, c.model.now+pause)
		c.knock(c.rt)
	}
	c.setClock(c.rt, c.model.now+pause)
	decision, err := c.admitter.BeginCharged(background(), c.call, head, c.requests[key])
	require.NoError(c.rt, err)
	require.Equal(c.rt, idempotency.Busy, decision.Begun.Outcome)
	c.compare(decision)
}

func (c *charges) charged(key int) {
	c.model.charge(0)
	c.refused[refusal{key, c.model.now / 1e6}] = true
}

func (c *charges) compare(decision Decision) {
	calls, _ := c.model.used(c.model.now)
	require.Equal(c.rt, calls, decision.Usage.Calls)
	if decision.Verdict == Refused {
		require.Equal(c.rt, c.model.wait(), decision.Usage.CallsWait)
		return
	}
	require.Equal(c.rt, time.Duration(c.model.calls[0].at+c.model.limits.Window.Microseconds()-c.model.now)*time.Microsecond,
		decision.Usage.Reset)
}

// Calls that are refused because their key is in use are charged once for a key and second, however many are sent; one that was
// charged from its head keeps that charge. All other calls count as ever, to the microsecond.
func TestBusy_chargedOncePerKeyAndSecond(t *testing.T) {
	t.Parallel()
	r := newRig(t, operation.Process, 0)
	rapid.Check(t, func(rt *rapid.T) {
		r.fresh(rt)
		c := &charges{rig: r, rt: rt, refused: map[refusal]bool{}}
		other := r.call // another API key of the seller, whose calls hold the idempotency keys
		other.Key.ID = uuid.New()
		require.NoError(rt, r.admitter.PutKey(background(), other.Key, time.Time{}))
		for range 3 {
			request := idempotency.Request{Digest: inbox.Digest(uuid.New())}
			c.requests = append(c.requests, request)
			begun, err := r.admitter.Begin(background(), other, request)
			require.NoError(rt, err)
			require.Equal(rt, idempotency.New, begun.Begun.Outcome)
		}
		for range rapid.IntRange(1, 60).Draw(rt, "calls") {
			switch rapid.IntRange(0, 3).Draw(rt, "kind") {
			case 0:
				r.knock(rt)
			case 1:
				c.sendLate(rapid.IntRange(0, 2).Draw(rt, "key"), rapid.Int64Range(0, 400_000).Draw(rt, "pause"),
					rapid.IntRange(0, 2).Draw(rt, "others"))
			default:
				c.send(rapid.IntRange(0, 2).Draw(rt, "key"))
			}
			// calls leave the window, too
			pause := rapid.SampledFrom([]int64{0, 300_000, 1_100_000, 7_000_000, 25_000_000}).Draw(rt, "pause")
			r.setClock(rt, r.model.now+pause)
		}
	})
}
