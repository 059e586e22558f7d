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

// MaxMessageBytes limits a message of gateway.v1.Keys; the longest valid one has a few kilobytes. The messages of refused callers are
// read too.
const MaxMessageBytes = 64 << 10

// The intervals and the timeout of refusal entries.
const (
	// refusalWindow is the minimum time between two entries for the same caller and action.
	refusalWindow = time.Minute
	// refusalSearch is the interval of the check for windows that have ended.
	refusalSearch = 10 * time.Second
	// refusalTimeout limits how long writing the entries may take.
	refusalTimeout = 5 * time.Second
)

var wanted = map[string]audit.Action{
	gatewayv1connect.KeysRegisterSellerProcedure: audit.Registered,
	gatewayv1connect.KeysIssueKeyProcedure:       audit.Issued,
	gatewayv1connect.KeysListKeysProcedure:       audit.Listed,
	gatewayv1connect.KeysRevealKeyProcedure:      audit.Revealed,
	gatewayv1connect.KeysRevokeKeyProcedure:      audit.Revoked,
}

// Refusals writes the calls that package rpc refuses to the audit trail. The first one of a caller and an action is written at once,
// before the caller gets its answer; those of the following minute are counted and written as one entry at its end, with actor, seller
// and key of the latest. So a caller adds at most one entry per minute and action, however often it is refused. Counts that could not
// be written are kept for the next attempt. It is safe for concurrent use.
type Refusals struct {
	write  func(context.Context, audit.Refusal) error
	logger *slog.Logger
	now    func() time.Time

	mu      sync.Mutex
	windows map[window]*counted
}

// window is the key for counting refusals. The number of callers is bounded by the number of signed tokens.
type window struct {
	caller string
	action audit.Action
}

type counted struct {
	end    time.Time
	latest audit.Refusal // its Calls are those not written yet
}

// NewRefusals returns Refusals that are written with the given function.
func NewRefusals(write func(context.Context, audit.Refusal) error, logger *slog.Logger) *Refusals {
	return &Refusals{write: write, logger: logger, now: time.Now, windows: map[window]*counted{}}
}

var _ rpc.Recorder = (*Refusals)(nil).Record

// Record counts a refused call and writes the due entries.
func (r *Refusals) Record(ctx context.Context, refused rpc.Refusal) {
	r.add(read(refused), true)
	r.settle(ctx, r.ended)
}

// Keep writes due entries until the context ends.
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

// Close writes all remaining entries.
func (r *Refusals) Close() {
	r.settle(context.Background(), func(*counted) bool { return true })
}

func (r *Refusals) ended(c *counted) bool { return !r.now().Before(c.end) }

// add counts calls; newer says whether they are more recent than those counted already. A new window is due at once.
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

// settle writes the counts of the due windows, even if the context of the call has ended.
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
		r.logger.ErrorContext(ctx, "refused calls could not be written to the audit trail; counting continues", "error", err)
	}
}

// take restarts the due windows and returns their counts. It deletes windows without calls.
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

// read returns the fields of a refused call for the trail. They are untrusted: invalid ones count as missing.
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

// named parses an id of a message; nil if it is invalid.
func named(text string) *uuid.UUID {
	var form apikey.Form
	id := form.UUID("", text)
	if form.Err() != nil {
		return nil
	}
	return &id
}
