package admission

import (
	"context"
	"time"

	"sellerapi.dev/services/gateway/internal/idempotency"
)

// Finish ends the idempotency key that an admitted call began: remembers that its service has the answer or that it has
// expired, or frees the key. Of a call that met an answered key only that the answer has expired is told to Redis. It reports
// whether what the call met is still there: the lock that it holds, or the word that its service has the first answer. A Redis
// that is away leaves the key to the end of its lock; the record of the owning service answers then.
func (a *Admitter) Finish(ctx context.Context, call Call, decision Decision, request idempotency.Request, ending idempotency.Ending) (bool, error) {
	if decision.Begun.Outcome == idempotency.Answered && !ending.Expired() {
		return true, nil
	}
	phase, life := ending.Entry(a.locks)
	answer, err := a.guard.run(ctx, a.scripts.finish, []string{namesOf(call.Seller).entry(request.Digest)},
		finishing(request, decision.ticket, life, decision.Begun.Outcome.Met(), phase))
	return answer == "ended", err
}

// finishing is the argument of finish.lua.
func finishing(request idempotency.Request, ticket ticket, life time.Duration, met, phase string) argument {
	return make(argument, 0, argumentBytes).
		word(milliseconds(life)).raw(met).raw(phase).raw(string(request.Fingerprint[:])).raw(ticket.token)
}

// letGoWithin is how long the word to free a key is waited for, and how long it stands: far longer than Redis may still begin it.
const letGoWithin = 2 * time.Second

// letGo frees the idempotency key of a call that was given up, aside. A Redis that was slow may begin the key after its
// caller has been told that nothing was processed, also after it has heard this word, which comes on another connection;
// it would be held for as long as a lock lasts.
func (a *Admitter) letGo(ctx context.Context, call Call, decision Decision, request idempotency.Request) {
	a.aside.Go(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), letGoWithin)
		defer cancel()
		_ = a.scripts.finish.Run(ctx, a.guard.client, []string{namesOf(call.Seller).entry(request.Digest)},
			[]byte(finishing(request, decision.ticket, letGoWithin, idempotency.New.Met(), "X"))).Err() // a Redis that is away begins nothing
	})
}
