package failover

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
)

const (
	// callTimeout is how long a client waits for an answer.
	callTimeout = 20 * time.Second
	// connections is how many idle connections the client keeps, since many calls are in flight while they wait for a server.
	connections = 256
	// againTimeout is how long failed calls are retried, every againPause, and againAtOnce is how many are retried concurrently.
	againTimeout, againPause, againAtOnce = time.Minute, 200 * time.Millisecond, 8
)

type call struct {
	class  class
	order  order
	effect effect

	method, path, body, key string
}

type caller struct {
	client  *http.Client
	address string
}

func (s *system) newCaller() *caller {
	return &caller{
		client: &http.Client{Timeout: callTimeout, Transport: &http.Transport{
			MaxIdleConnsPerHost: connections,
			IdleConnTimeout:     time.Minute,
		}},
		address: s.running.GatewayURL,
	}
}

// processing returns a process call on an order: preparations and shipments alternate.
func processing(n int, o order) call {
	c := call{class: process, order: o, method: http.MethodPost, key: uuid.NewString()}
	if n%2 == 0 {
		c.effect, c.path, c.body = prepared, "/open/v1/orders/"+o.no+"/preparation", fmt.Sprintf(`{"item_ids":[%q]}`, o.item)
		return c
	}
	c.effect, c.path = shipped, "/open/v1/orders/"+o.no+"/shipment"
	c.body = fmt.Sprintf(`{"item_ids":[%q],"carrier_name":"CJ대한통운","tracking_no":"612345678901"}`, o.item)
	return c
}

// reading returns a read of the order's seller: lists and details alternate.
func reading(n int, o order) call {
	c := call{class: read, order: o, method: http.MethodGet, path: "/open/v1/orders?limit=20"}
	if n%2 == 0 {
		c.path = "/open/v1/orders/" + o.no
	}
	return c
}

// make makes the call and returns the status of its response, or 0 when none came.
func (c *caller) make(ctx context.Context, what call) int {
	request, err := http.NewRequestWithContext(ctx, what.method, c.address+what.path, strings.NewReader(what.body))
	if err != nil {
		return 0
	}
	request.Header.Set("X-Api-Key", what.order.seller.key)
	if what.key != "" {
		request.Header.Set("Idempotency-Key", what.key)
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.client.Do(request)
	if err != nil {
		return 0
	}
	_, err = io.Copy(io.Discard, response.Body)
	if closed := response.Body.Close(); err != nil || closed != nil {
		return 0
	}
	return response.StatusCode
}

type load struct {
	stop    context.CancelFunc
	ended   chan struct{}
	err     error
	mu      sync.Mutex
	records []record
}

// errNoOrders is returned when a trial took longer than there were orders for.
var errNoOrders = errors.New("all orders are processed already")

// load starts to make rate calls of each class per second. Calls that are in flight when it ends are awaited.
func (s *system) load(ctx context.Context, rate int) *load {
	loading, stop := context.WithCancel(ctx)
	l := &load{stop: stop, ended: make(chan struct{})}
	caller := s.newCaller()
	go func() {
		defer close(l.ended)
		var calls sync.WaitGroup
		defer calls.Wait()
		tick := time.NewTicker(time.Second / time.Duration(rate))
		defer tick.Stop()
		for n := 0; ; n++ {
			select {
			case <-loading.Done():
				return
			case <-tick.C:
			}
			if n == len(s.orders) {
				l.err = errNoOrders
				return
			}
			for _, one := range []call{processing(n/len(s.sellers), s.orders[n]), reading(n/len(s.sellers), s.orders[n])} {
				calls.Go(func() { l.note(ctx, caller, one) })
			}
		}
	}()
	return l
}

func (l *load) note(ctx context.Context, by *caller, c call) {
	sent := time.Now()
	status := by.make(ctx, c)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records = append(l.records, record{call: c, sent: sent, answered: time.Now(), status: status})
}

// end ends the load and returns all records; err is valid afterwards.
func (l *load) end() []record {
	l.stop()
	<-l.ended
	return l.records
}

func again(ctx context.Context, s *system, failed []*record) {
	caller := s.newCaller()
	var group errgroup.Group
	group.SetLimit(againAtOnce)
	until := time.Now().Add(againTimeout)
	for _, r := range failed {
		group.Go(func() error {
			for r.last = caller.make(ctx, r.call); r.last != http.StatusOK && time.Now().Before(until); r.last = caller.make(ctx, r.call) {
				if !pause(ctx, againPause) {
					return ctx.Err()
				}
			}
			return nil
		})
	}
	_ = group.Wait() // a call that was not retried has not succeeded
}
