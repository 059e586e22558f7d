package admission

import (
	"context"

	"sellerapi.dev/services/gateway/internal/idempotency"
)

// Finish ends the idempotency key that an admitted call began: keeps the answer for fast replays, remembers that it has
// expired, or frees the key. It reports whether the call still held the key. A Redis that is away leaves the key to the
// end of its lock; the record of the owning service answers then.
func (a *Admitter) Finish(ctx context.Context, call Call, decision Decision, request idempotency.Request, ending idempotency.Ending) (bool, error) {
	phase, payload, life := ending.Entry(a.locks)
	reply, err := a.guard.run(ctx, a.scripts.finish, []string{namesOf(call.Seller).entry(request.Digest)},
		request.Fingerprint[:], decision.ticket.token, phase, payload, life.Milliseconds())
	held, _ := reply.(int64)
	return held == 1, err
}
