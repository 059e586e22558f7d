package admission

import (
	"maps"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

// handClock is a clock that the test sets: the value of one Redis key.
const handClock = `local function redis_now() return tonumber(redis.call('GET', 'clock')) end`

// epoch is the start of the tests' time, in µs as in the scripts.
const epoch = int64(1_900_000_000_000_000)

var testLimits = ratelimit.Config{Window: time.Minute, Read: 60, Process: 30, Rows: 3000, Timeout: 20 * time.Second}

// naive is the simplest implementation of the window, without regard to speed: the list of admitted calls.
type naive struct {
	limits ratelimit.Config
	class  operation.Class
	calls  []naiveCall
	now    int64
}

type naiveCall struct {
	at   int64
	rows int
}

// setClock sets the clock. When it goes back, the times of past calls go back with it.
func (n *naive) setClock(now int64) {
	if back := n.now - now; back > 0 && len(n.calls) > 0 {
		if last := n.calls[len(n.calls)-1].at; now < last {
			for i := range n.calls {
				n.calls[i].at -= last - now
			}
		}
	}
	n.now = now
	kept := n.calls[:0]
	for _, call := range n.calls {
		if call.at > now-n.limits.Window.Microseconds() {
			kept = append(kept, call)
		}
	}
	n.calls = kept
}

func (n *naive) used(now int64) (calls, rows int) {
	for _, call := range n.calls {
		if call.at > now-n.limits.Window.Microseconds() {
			calls++
			rows += call.rows
		}
	}
	return calls, rows
}

func (n *naive) room(now int64) bool {
	calls, rows := n.used(now)
	return calls < n.limits.Calls(n.class) && (n.limits.RowBudget(n.class) == 0 || rows < n.limits.RowBudget(n.class))
}

// wait returns the shortest time after which there is room: it can only end when a call leaves the window.
func (n *naive) wait() time.Duration {
	if n.room(n.now) {
		return 0
	}
	for _, call := range n.calls {
		if leaves := call.at + n.limits.Window.Microseconds(); n.room(leaves) {
			return time.Duration(leaves-n.now) * time.Microsecond
		}
	}
	panic("a window that never has room")
}

func (n *naive) charge(rows int) { n.calls = append(n.calls, naiveCall{n.now, rows}) }

// rig is an Admitter on a Redis whose clock the test controls, together with the model.
type rig struct {
	*redistest.Server
	admitter *Admitter
	call     Call
	model    naive
}

func newRig(t *testing.T, class operation.Class, reserve int) *rig {
	t.Helper()
	server := redistest.New(t)
	r := &rig{
		Server:   server,
		admitter: newAdmitter(server.Client, testLimits, idempotency.Config{Lease: time.Minute}.WithDefaults(), newScripts(handClock)),
		call:     Call{Key: apikey.Key{SellerID: uuid.New(), ID: uuid.New(), Version: 1}, Class: class, Reserve: reserve},
		model:    naive{limits: testLimits, class: class, now: epoch},
	}
	r.setClock(t, epoch)
	return r
}

// fresh gives the rig a new key, so that one server can be used for many runs.
func (r *rig) fresh(t require.TestingT) {
	r.call.Key.SellerID, r.call.Key.ID = uuid.New(), uuid.New()
	r.model.calls, r.model.now = nil, epoch
	r.setClock(t, epoch)
}

func (r *rig) setClock(t require.TestingT, now int64) {
	ctx, put := background(), strconv.FormatInt(now, 10)
	require.NoError(t, r.Client.Set(ctx, "clock", put, 0).Err())
	require.NoError(t, r.admitter.PutKey(ctx, r.call.Key, time.Time{}))
	r.model.setClock(now)
}

// knock charges one call and compares the decision with the model's.
func (r *rig) knock(t require.TestingT) Decision {
	wait := r.model.wait()
	decision, err := r.admitter.Charge(background(), r.call)
	require.NoError(t, err)
	if wait == 0 {
		require.Equal(t, Admitted, decision.Verdict, "a false refusal")
		r.model.charge(r.call.Reserve)
	} else {
		require.Equal(t, Refused, decision.Verdict, "admitted too many")
		require.Equal(t, wait, max(decision.Usage.CallsWait, decision.Usage.RowsWait))
	}
	calls, rows := r.model.used(r.model.now)
	require.Equal(t, calls, decision.Usage.Calls)
	require.Equal(t, rows, decision.Usage.Rows)
	return decision
}

// pauses are those of bursts, of calls at the allowed pace, a microsecond faster and slower, and of a clock that is set back.
var pauses = []time.Duration{
	0, 0, time.Microsecond, 3 * time.Millisecond, 100 * time.Millisecond, time.Second - time.Microsecond, time.Second,
	time.Second + time.Microsecond, time.Minute - time.Millisecond, time.Minute, 3 * time.Hour, -5 * time.Second, -time.Hour,
}

// The window decides as its model does, whatever the pattern of the calls.
func TestWindow_matchesModelOnRandomTraffic(t *testing.T) {
	t.Parallel()
	for _, class := range []operation.Class{operation.Read, operation.Process} {
		t.Run(string(class), func(t *testing.T) {
			t.Parallel()
			r := newRig(t, class, 0)
			rapid.Check(t, func(rt *rapid.T) {
				r.fresh(rt)
				now, usual := epoch, rapid.SampledFrom(pauses).Draw(rt, "usual pause").Microseconds()
				for range rapid.SampledFrom([]int{100, 70, 35, 5}).Draw(rt, "calls") {
					r.call.Reserve = 0
					if class == operation.Read {
						r.call.Reserve = rapid.SampledFrom([]int{100, 99, 50, 1, 0}).Draw(rt, "reserve")
					}
					decision := r.knock(rt)
					if r.call.Reserve > 0 && decision.Verdict == Admitted && rapid.Bool().Draw(rt, "settle") {
						rows := rapid.IntRange(0, r.call.Reserve).Draw(rt, "rows")
						r.admitter.Settle(r.call, &decision, rows)
						r.admitter.Drain()
						r.model.calls[len(r.model.calls)-1].rows = rows
					}
					switch rapid.IntRange(0, 9).Draw(rt, "kind") {
					case 0:
						now += rapid.SampledFrom(pauses).Draw(rt, "pause").Microseconds()
					case 1:
						now += rapid.Int64Range(-2_000_000, 8_000_000).Draw(rt, "pause")
					default:
						now += usual
					}
					r.setClock(rt, now)
				}
			})
		})
	}
}

func TestRetryAfter_isExact(t *testing.T) {
	t.Parallel()
	r := newRig(t, operation.Process, 0)
	rapid.Check(t, func(rt *rapid.T) {
		r.fresh(rt)
		now := epoch
		for r.model.wait() == 0 {
			r.knock(rt)
			now += rapid.Int64Range(0, 1_500_000).Draw(rt, "pause")
			r.setClock(rt, now)
		}
		decision := r.knock(rt)
		data := retryAfterOf(rt, decision)
		r.setClock(rt, now+int64(data-1)*1_000_000)
		require.Equal(rt, Refused, r.knock(rt).Verdict)
		r.setClock(rt, now+int64(data)*1_000_000)
		require.Equal(rt, Admitted, r.knock(rt).Verdict)
	})
}

func TestRefusedCallsWriteNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, operation.Process, 0)
	for r.model.wait() == 0 {
		r.knock(t)
	}
	before := r.dump(t)
	require.NotEmpty(t, before)
	// The transaction fails if anything is written to a watched key, even its old value.
	require.NoError(t, r.Client.Watch(t.Context(), func(tx *goredis.Tx) error {
		for range 50 {
			require.Equal(t, Refused, r.knock(t).Verdict)
		}
		_, err := tx.TxPipelined(t.Context(), func(pipe goredis.Pipeliner) error { return pipe.Ping(t.Context()).Err() })
		return err
	}, slices.Collect(maps.Keys(before))...))
	require.Equal(t, before, r.dump(t))
}

// A call is charged when its head has arrived; the later arrival of its body must neither cost a second call nor be refused.
func TestBeginCharged_chargesOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, operation.Process, 0)
	charged := make([]Decision, 0, r.model.limits.Process)
	for range r.model.limits.Process {
		decision, err := r.admitter.Charge(t.Context(), r.call)
		require.NoError(t, err)
		charged = append(charged, decision)
	}
	for _, decision := range charged {
		begun, err := r.admitter.BeginCharged(t.Context(), r.call, decision, idempotency.Request{Digest: inbox.Digest(uuid.New())})
		require.NoError(t, err)
		require.Equal(t, Admitted, begun.Verdict)
		require.Equal(t, idempotency.New, begun.Begun.Outcome)
		require.Equal(t, r.model.limits.Process, begun.Usage.Calls)
	}
	begun, err := r.admitter.Begin(t.Context(), r.call, idempotency.Request{Digest: inbox.Digest(uuid.New())})
	require.NoError(t, err)
	require.Equal(t, Refused, begun.Verdict)
}

// A command that is retried after a lost reply is charged once.
func TestRetriedCommand_chargedOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, operation.Read, 10)
	keys := []string{
		namesOf(r.call.Key.SellerID).state(r.call.Key.ID),
		namesOf(r.call.Key.SellerID).window(r.call.Key.ID, operation.Read),
	}
	args := r.admitter.arguments("charge", r.call, "nonce1", 0)
	for range 3 {
		answer, err := r.admitter.guard.run(background(), r.admitter.scripts.admit, keys, args...)
		require.NoError(t, err)
		decision, err := r.admitter.read(answer, operation.Read)
		require.NoError(t, err)
		require.Equal(t, Admitted, decision.Verdict)
		require.Equal(t, 1, decision.Usage.Calls)
		require.Equal(t, 10, decision.Usage.Rows)
	}
}

// A retried command still holds the key that it began; for another one the key is busy.
func TestRetriedCommand_holdsKeyItBegan(t *testing.T) {
	t.Parallel()
	r := newRig(t, operation.Process, 0)
	sent, other, request := newTicket(0), newTicket(0), idempotency.Request{Digest: inbox.Digest(uuid.New())}
	for range 3 {
		decision, err := r.admitter.admit(background(), "begin", r.call, request, sent, 0)
		require.NoError(t, err)
		require.Equal(t, idempotency.New, decision.Begun.Outcome)
		require.Equal(t, 1, decision.Usage.Calls)
	}
	decision, err := r.admitter.admit(background(), "begin", r.call, request, other, 0)
	require.NoError(t, err)
	require.Equal(t, idempotency.Busy, decision.Begun.Outcome)
}

// Every key that a call writes to Redis has an expiry.
func TestBegin_writesEveryKeyWithExpiry(t *testing.T) {
	t.Parallel()
	r := newRig(t, operation.Process, 0)
	_, err := r.admitter.Begin(background(), r.call, idempotency.Request{})
	require.NoError(t, err)
	names, err := r.Client.Keys(background(), "{*").Result()
	require.NoError(t, err)
	require.Len(t, names, 3)
	for _, name := range names {
		require.Positive(t, r.Client.PTTL(background(), name).Val(), name)
	}
}
