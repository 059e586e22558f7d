package keysrpc

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
)

// MaxMessageBytes bounds a message of gateway.v1.Keys; the longest that is in order has a few kilobytes. It is read of callers that
// are refused as well.
const MaxMessageBytes = 64 << 10

// Times of refusals.
const (
	// refusalWindow is the least time between two entries about the same caller and action.
	refusalWindow = time.Minute
	// refusalSearch is the time between two looks for windows that have ended.
	refusalSearch = 10 * time.Second
	// refusalTimeout is how long entries may take to be written.
	refusalTimeout = 5 * time.Second
)

// wanted is the action that each procedure is for.
var wanted = map[string]audit.Action{
	gatewayv1connect.KeysRegisterSellerProcedure: audit.Registered,
	gatewayv1connect.KeysIssueKeyProcedure:       audit.Issued,
	gatewayv1connect.KeysListKeysProcedure:       audit.Listed,
	gatewayv1connect.KeysRevealKeyProcedure:      audit.Revealed,
	gatewayv1connect.KeysRevokeKeyProcedure:      audit.Revoked,
}

// Refusals brings the calls that package rpc refuses into the audit trail. The first one of a caller and an action is written at once,
// before the caller has its answer; those of the minute after it are counted and written as one entry at its end, with actor, seller and
// key of the latest. So a caller adds an entry a minute for each action at most, however often it is refused. What could not be written is
// counted on. It is safe for concurrent use.
type Refusals struct {
	write  func(context.Context, audit.Refusal) error
	logger *slog.Logger
	now    func() time.Time

	mu      sync.Mutex
	windows map[window]*counted
}

// window is what refusals are counted for. Callers are bounded by those that tokens were signed for.
type window struct {
	caller string
	action audit.Action
}

// counted is what has happened in a window.
type counted struct {
	end    time.Time
	latest audit.Refusal // its Calls are those that are not written yet
}

// NewRefusals returns Refusals that are written like that.
func NewRefusals(write func(context.Context, audit.Refusal) error, logger *slog.Logger) *Refusals {
	return &Refusals{write: write, logger: logger, now: time.Now, windows: map[window]*counted{}}
}

var _ rpc.Recorder = (*Refusals)(nil).Record

// Record takes one refused call in, and writes what is due.
func (r *Refusals) Record(ctx context.Context, refused rpc.Refusal) {
	r.add(read(refused), true)
	r.settle(ctx, r.ended)
}

// Keep writes what is due until the context ends.
func (r *Refusals) Keep(ctx context.Context) {
	ticks := time.NewTicker(refusalSearch)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			r.settle(ctx, r.ended)
		}
	}
}

// Close writes all that is left.
func (r *Refusals) Close() {
	r.settle(context.Background(), func(*counted) bool { return true })
}

// ended reports whether the window has.
func (r *Refusals) ended(c *counted) bool { return !r.now().Before(c.end) }

// add counts calls, which are newer than those that are counted already or older; a window that is new is due at once.
func (r *Refusals) add(refusal audit.Refusal, newer bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := window{refusal.Author.Caller, refusal.Action}
	if r.windows[at] == nil {
		r.windows[at] = &counted{}
	}
	latest, calls := &r.windows[at].latest, r.windows[at].latest.Calls+refusal.Calls
	if newer || latest.Calls == 0 {
		*latest = refusal
	}
	latest.Calls = calls
}

// settle writes what the windows that are due have counted. The context of a call may have ended, and its refusal is written all the same.
func (r *Refusals) settle(ctx context.Context, due func(*counted) bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refusalTimeout)
	defer cancel()
	var problems []error
	for _, refusal := range r.take(due) {
		if err := r.write(ctx, refusal); err != nil {
			problems = append(problems, err)
			r.add(refusal, false)
		}
	}
	if err := errors.Join(problems...); err != nil {
		r.logger.ErrorContext(ctx, "refused calls could not be written to the audit trail, they are counted on", "error", err)
	}
}

// take begins the windows that are due anew, and forgets those in which nothing has happened.
func (r *Refusals) take(due func(*counted) bool) (taken []audit.Refusal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for at, c := range r.windows {
		switch {
		case !due(c):
		case c.latest.Calls == 0:
			delete(r.windows, at)
		default:
			taken = append(taken, c.latest)
			c.end, c.latest = r.now().Add(refusalWindow), audit.Refusal{}
		}
	}
	return taken
}

// read takes from a refused call what the trail keeps. Its fields are a stranger's: what is not in order counts as not named.
func read(refused rpc.Refusal) audit.Refusal {
	refusal := audit.Refusal{
		Author: audit.Author{Caller: refused.Caller}, Action: wanted[refused.Procedure], Cause: audit.NotPermitted, Calls: 1,
	}
	if m, ok := refused.Message.(interface{ GetActor() string }); ok {
		var form apikey.Form
		if actor := form.Text("actor", m.GetActor()); form.Err() == nil {
			refusal.Author.Actor = actor
		}
	}
	if m, ok := refused.Message.(interface{ GetSellerId() string }); ok {
		refusal.SellerID = named(m.GetSellerId())
	}
	if m, ok := refused.Message.(interface{ GetKeyId() string }); ok {
		refusal.KeyID = named(m.GetKeyId())
	}
	return refusal
}

// named is an id of a message, nil when it is none.
func named(text string) *uuid.UUID {
	var form apikey.Form
	id := form.UUID("", text)
	if form.Err() != nil {
		return nil
	}
	return &id
}
