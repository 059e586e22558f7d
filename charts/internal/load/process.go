package load

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

const againPause = time.Second

// act is a kind of process call and its effect in the database: a status change or a shipment.
type act struct{ effect, path, body string }

// acts are the process calls, made in turn, each on its own order.
var acts = []act{
	{"preparing", "/preparation", `{"item_ids":[%q]}`},
	{"shipment", "/shipment", `{"item_ids":[%q],"carrier_name":"CJ대한통운","tracking_no":"612345678901"}`},
}

// process makes the nth process call and counts its first attempt. It retries a failed call with the same idempotency key and
// body until it succeeds or ctx is done. A call that succeeded must have had its effect exactly once.
func (l *Load) process(ctx context.Context, n int, o order) {
	a := acts[n%len(acts)]
	made := call{
		method: http.MethodPost, path: "/open/v1/orders/" + o.no + a.path, body: fmt.Sprintf(a.body, o.item), key: o.key.Text,
		idempotencyKey: rand.Text(),
	}
	began, effect := time.Now(), o.no+" "+a.effect
	l.unsettled(effect, 1)
	err := l.do(context.WithoutCancel(ctx), made)
	l.count(made.path, began, err)
	for err != nil {
		pause(ctx, againPause)
		if ctx.Err() != nil {
			return
		}
		err = l.do(context.WithoutCancel(ctx), made)
	}
	l.unsettled(effect, -1)
}

// unsettled records that a process call has begun, or, with a negative change, that it has succeeded.
func (l *Load) unsettled(effect string, change int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if change < 0 {
		delete(l.open, effect)
		l.acknowledged = append(l.acknowledged, effect)
		return
	}
	l.open[effect] = true
}

// Acknowledged returns the process calls that have succeeded, at once or after retries: one line each, with the order number
// and the effect.
func (l *Load) Acknowledged() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return lines(l.acknowledged)
}

// Unsettled returns the process calls that have not succeeded yet, in the format of Acknowledged.
func (l *Load) Unsettled() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return lines(slices.Sorted(maps.Keys(l.open)))
}

func lines(all []string) string {
	var text strings.Builder
	for _, line := range all {
		text.WriteString(line + "\n")
	}
	return text.String()
}
