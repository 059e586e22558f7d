package admission

import (
	"context"
	"time"

	"sellerapi.dev/services/gateway/internal/idempotency"
)

// Finish ends the idempotency key that an admitted call began: it records that its service has the answer or that the answer
// has expired, or frees the key. For a call that met an answered key it only records that the answer has expired. It reports
// whether the entry that the call met still exists: the lease that it holds, or the record that its service has the first
// answer. If Redis is unavailable, the lease ends; the owning service's inbox answers then.
func (a *Admitter) Finish(ctx context.Context, call Call, decision Decision, request idempotency.Request,
	ending idempotency.Ending,
) (bool, error) {
	if decision.Begun.Outcome == idempotency.Answered && !ending.Expired() {
		return true, nil
	}
	phase, life := ending.Entry(a.locks)
	answer, err := a.guard.run(ctx, a.scripts.finish, []string{namesOf(call.Key.SellerID).entry(request.Digest)},
		finishing(request, decision.ticket, life, decision.Begun.Outcome.Met(), phase)...)
	return answer == "ended", err
}

// finishing returns the arguments of finish.lua.
func finishing(request idempotency.Request, ticket ticket, life time.Duration, met, phase string) []any {
	return []any{life.Milliseconds(), met, phase, request.Fingerprint[:], ticket.token}
}

// letGoWithin is the timeout for freeing a key and the life of that mark: far longer than Redis may still take to begin the key.
const letGoWithin = 2 * time.Second

// letGo frees the idempotency key of an abandoned call in the background. A slow Redis may begin the key after its caller was
// told that nothing was processed, even after this command, which uses another connection; the key would be held for the life
// of a lease.
func (a *Admitter) letGo(ctx context.Context, call Call, decision Decision, request idempotency.Request) {
	a.background.Go(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), letGoWithin)
		defer cancel()
		_ = a.scripts.finish.Run(ctx, a.guard.client, []string{namesOf(call.Key.SellerID).entry(request.Digest)},
			// an unavailable Redis begins no key
			append([]any{1}, finishing(request, decision.ticket, letGoWithin, idempotency.New.Met(), "X")...)...).Err()
	})
}
