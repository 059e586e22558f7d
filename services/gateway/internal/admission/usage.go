package admission

import (
	"context"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

// Usage returns what a key has used of the limits of a class in its window now. It charges nothing. Rows include what reads that
// are being answered have reserved.
//
// RATE_LIMIT_UNAVAILABLE: Redis did not answer.
func (a *Admitter) Usage(ctx context.Context, seller, key uuid.UUID, class operation.Class) (ratelimit.Usage, error) {
	answer, err := a.guard.run(ctx, a.scripts.usage, []string{namesOf(seller).window(key, class)}, a.limits.Window.Milliseconds())
	if err != nil {
		return ratelimit.Usage{}, err
	}
	list, _ := answer.([]any)
	r := reply{rest: list}
	usage := ratelimit.Usage{
		Class: class, Window: a.limits.Window, Limit: a.limits.Calls(class), RowsLimit: a.limits.RowBudget(class),
		Calls: r.number(), Rows: r.number(), Reset: r.micros(),
	}
	if r.broken {
		return ratelimit.Usage{}, errReply
	}
	return usage, nil
}
