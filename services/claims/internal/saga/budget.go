package saga

import (
	"context"
	"time"
)

// budget is the context key of the deadline for a call's inline time.
type budget struct{}

// begin starts the inline time of a call. All requests to other services on behalf of the call share it, so that the caller
// gets an answer before the call itself times out.
func (s *Saga) begin(ctx context.Context) context.Context {
	if _, begun := ctx.Value(budget{}).(time.Time); begun {
		return ctx
	}
	return context.WithValue(ctx, budget{}, time.Now().Add(s.inline))
}

// withinBudget returns a context for requests to other services. It ends with the call's inline time and ignores cancellation by
// the caller. Work outside a call, such as a sweep, gets an inline time of its own.
func (s *Saga) withinBudget(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx = s.begin(context.WithoutCancel(ctx))
	until, _ := ctx.Value(budget{}).(time.Time)
	return context.WithDeadline(ctx, until)
}
