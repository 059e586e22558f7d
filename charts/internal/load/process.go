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

// againPause is the time after which a process call that failed is made again.
const againPause = time.Second

// act is a process call, and what it leaves in the database: an entry into a state, or a parcel.
type act struct{ effect, path, body string }

// acts are the process calls, made in turn, each on an order of its own.
var acts = []act{
	{"preparing", "/preparation", `{"item_ids":[%q]}`},
	{"shipment", "/shipment", `{"item_ids":[%q],"carrier_name":"CJ대한통운","tracking_no":"612345678901"}`},
}

// process makes the nth process call and counts it. One that fails is made again, with its key and its content, until it succeeds: then it
// must have had its effect, and once.
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

// unsettled notes that a process call is being made, or that it has succeeded.
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

// Acknowledged are the process calls that have succeeded, at once or later: a line each, with the number of the order and the effect.
func (l *Load) Acknowledged() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return lines(l.acknowledged)
}

// Unsettled are the process calls without a success so far.
func (l *Load) Unsettled() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return lines(slices.Sorted(maps.Keys(l.open)))
}

// lines ends each with a line break.
func lines(all []string) string {
	var text strings.Builder
	for _, line := range all {
		text.WriteString(line + "\n")
	}
	return text.String()
}
