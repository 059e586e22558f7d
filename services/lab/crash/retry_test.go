package crash

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// What a client that waits as Retry-After says must get through with: its first answer within this time after the process is
// back, and this many calls of the thirty that it has in a minute, the interrupted one included.
const (
	answeredWithin = 10 * time.Second
	callsSpent     = 4
)

type kill struct {
	dies, restarts func(e *entrance)
	// drops is whether the response is lost that orders had given.
	drops bool
}

// kills are the processes that die during a call, by name.
var kills = map[string]kill{
	"gateway": {
		dies:     func(e *entrance) { e.kill(gatewayService) },
		restarts: func(e *entrance) { e.start(gatewayService) },
	},
	"orders": {
		dies:     func(e *entrance) { e.kill(ordersService) },
		restarts: func(e *entrance) { e.start(ordersService) },
		drops:    true,
	},
	"redis": {
		dies:     func(e *entrance) { require.NoError(e.t, e.redis.Process.Kill()) },
		restarts: func(e *entrance) { require.NoError(e.t, e.redis.Process.Restart(e.t.Context())) },
	},
}

type interruption struct {
	kill

	// performed is whether orders has performed the call, and age for how long it has run.
	performed bool
	age       time.Duration
}

// slow is the age of a call whose lease has been renewed several times: nothing but the renewals has kept its key.
const slow = 6 * time.Second

// A process dies during a call, at the published limits, and its client asks again and waits as it is told. It gets its answer
// soon, without using up its calls, and the call has one effect: the answer of a call that orders had performed is the first
// one.
func TestRetry_afterAKill(t *testing.T) {
	t.Parallel()
	database := migrated(t)
	for name, process := range kills {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEntrance(t, database(t))
			for _, performed := range []bool{false, true} {
				for _, age := range []time.Duration{0, slow} {
					e.interrupt(t, interruption{process, performed, age})
				}
			}
		})
	}
}

// interrupt lets a process die during a call, restarts it while the client asks again, and checks what that costs the client.
func (e *entrance) interrupt(t *testing.T, at interruption) {
	t.Helper()
	c, held := e.newClient(t), newHeld(at)
	e.held.Store(held)
	first := make(chan response, 1)
	go func() { first <- c.send() }()
	<-held.reached
	for began := time.Now(); time.Since(began) < at.age; {
		<-time.After(tick)
	}
	at.dies(e)
	close(held.open)
	c.last = <-first
	c.count(c.last)
	answered := make(chan time.Time, 1)
	go func() {
		c.follow()
		answered <- time.Now()
	}()
	at.restarts(e)
	back := time.Now()
	took := (<-answered).Sub(back)
	about := fmt.Sprintf("performed %v, after %v: %v", at.performed, at.age, c.seen)
	require.Equal(t, http.StatusOK, c.last.status, about)
	require.Less(t, took, answeredWithin, about)
	require.LessOrEqual(t, c.spent, callsSpent, about)
	require.LessOrEqual(t, 30-c.remaining, callsSpent, about)
	again := c.undisturbed(t, c.send)
	require.Equal(t, c.last.body, again.body)
	require.True(t, again.replayed)
	require.Equal(t, 1, one[int](t, e.system, "select count(*) from orders.inbox where seller_id = $1", c.seller))
	var detail struct {
		Data stacktest.Order `json:"data"`
	}
	require.NoError(t, json.Unmarshal([]byte(c.undisturbed(t, c.get).body), &detail))
	require.Equal(t, "preparing", detail.Data.Items[0].ItemStatus)
}

// undisturbed repeats a call while Redis, which has just come back, does not answer in time.
func (c *client) undisturbed(t *testing.T, call func() response) (got response) {
	t.Helper()
	eventually(t, func() bool {
		got = call()
		return got.status == http.StatusOK
	}, func() string { return got.body })
	return got
}

// follow waits as the last answer says and sends the call again, until it is answered 200. While no connection is made, which
// costs nothing, it tries again at once.
func (c *client) follow() {
	for c.last.status != http.StatusOK {
		wait := tick
		if c.last.status != 0 {
			seconds, err := strconv.Atoi(c.last.header.Get("Retry-After"))
			if err != nil {
				return // the test fails, because the last answer is no success
			}
			wait = time.Duration(seconds) * time.Second
		}
		<-time.After(wait)
		c.last = c.send()
		c.count(c.last)
	}
	c.remaining, _ = strconv.Atoi(c.last.header.Get("X-RateLimit-Remaining"))
}
