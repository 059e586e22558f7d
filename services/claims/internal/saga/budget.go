package saga

import (
	"context"
	"time"
)

// budget is the key under which a call carries the time at which its inline time is over.
type budget struct{}

// begin gives a call its inline time. Whatever it asks others for shares it, however many changes it makes, so that its
// caller is answered before the call itself times out.
func (s *Saga) begin(ctx context.Context) context.Context {
	if _, begun := ctx.Value(budget{}).(time.Time); begun {
		return ctx
	}
	return context.WithValue(ctx, budget{}, time.Now().Add(s.inline))
}

// withinBudget is a context for what others are asked within what is left of the call's inline time, whether or not the caller is
// still there. What is no call, like a sweep, gets an inline time of its own.
func (s *Saga) withinBudget(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx = s.begin(context.WithoutCancel(ctx))
	until, _ := ctx.Value(budget{}).(time.Time)
	return context.WithDeadline(ctx, until)
}
