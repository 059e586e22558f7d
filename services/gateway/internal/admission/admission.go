package admission

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	goredis "github.com/redis/go-redis/v9"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/ratelimit"
	"sellerapi.dev/services/gateway/internal/route"
)

// Caller is the API key of a call, as the gateway knows it.
type Caller struct {
	Seller uuid.UUID
	Key    uuid.UUID
	// Version is that of the facts that the gateway works with.
	Version int
}

// Call is one request that wants to go on.
type Call struct {
	Caller
	Class route.Class
	// Reserve is how many rows the answer may hold; at most 255.
	Reserve int
}

// Verdict is what became of a call.
type Verdict string

// The verdicts.
const (
	// Unknown: Redis does not know the key, or knows a newer version. Nothing was charged.
	Unknown Verdict = "unknown"
	// Revoked: the key is revoked or expired. Nothing was charged.
	Revoked Verdict = "revoked"
	// Refused: a limit is exceeded. Nothing was charged.
	Refused Verdict = "refused"
	// Admitted: the call was charged, or only looked at.
	Admitted Verdict = "admitted"

	// late: the command ran so late that its caller has gone. Nothing was charged.
	late Verdict = "late"
)

// Decision is the answer to a call.
type Decision struct {
	Verdict Verdict
	// At is the Redis time of the decision.
	At time.Time
	// Usage is filled for Refused and Admitted.
	Usage ratelimit.Usage
	// Begun is filled for an admitted call that began an idempotency key.
	Begun idempotency.Begun

	ticket ticket
}

// ticket names one charge in its window and one lock on an idempotency key.
type ticket struct {
	nonce, token string
	// rows is what the charge counts, once every settlement has arrived; the last of them closes settled.
	rows    int
	settled chan struct{}
}

const (
	nonceBytes = 6
	tokenBytes = 16
)

// Admitter decides over calls. It is safe for concurrent use.
type Admitter struct {
	guard  *guard
	limits ratelimit.Config
	locks  idempotency.Config

	scripts scripts
	terms   map[route.Class]terms
	clock   clock
	aside   sync.WaitGroup // settlements that nobody waits for
}

// terms are the limits of a class as the script gets them.
type terms struct{ calls, window, rows, lock any }

// New returns an Admitter on a Redis; open the client with Scripts, so that each connection has loaded them.
func New(client goredis.UniversalClient, limits ratelimit.Config, locks idempotency.Config) *Admitter {
	return newAdmitter(client, limits.WithDefaults(), locks.WithDefaults(), production)
}

func newAdmitter(client goredis.UniversalClient, limits ratelimit.Config, locks idempotency.Config, scripts scripts) *Admitter {
	a := &Admitter{
		guard: newGuard(client, limits.Timeout), limits: limits, locks: locks, scripts: scripts, terms: map[route.Class]terms{},
		clock: clock{lateAfter: limits.Timeout + lateMargin},
	}
	for _, class := range []route.Class{route.Read, route.Process} {
		a.terms[class] = terms{
			calls: limits.Calls(class), window: limits.Window.Milliseconds(), rows: limits.RowBudget(class), lock: locks.Lock.Milliseconds(),
		}
	}
	return a
}

// Look decides without charging, for a call that is refused anyway but shows what is left.
func (a *Admitter) Look(ctx context.Context, call Call) (Decision, error) {
	return a.decide(ctx, "look", call, idempotency.Request{})
}

// Charge decides over a call and charges it when it is admitted.
//
// RATE_LIMIT_UNAVAILABLE: Redis did not answer.
func (a *Admitter) Charge(ctx context.Context, call Call) (Decision, error) {
	return a.decide(ctx, "charge", call, idempotency.Request{})
}

// Begin is Charge, and begins the idempotency key of an admitted call.
func (a *Admitter) Begin(ctx context.Context, call Call, request idempotency.Request) (Decision, error) {
	return a.decide(ctx, "begin", call, request)
}

// decide runs the script. One that finds itself late though its answer came in time has met a clock that was set, and
// runs once more on the new time.
func (a *Admitter) decide(ctx context.Context, what string, call Call, request idempotency.Request) (Decision, error) {
	ticket := newTicket(call.Reserve)
	decision, err := a.admit(ctx, what, call, request, ticket, a.clock.deadline())
	if err == nil && decision.Verdict == late {
		decision, err = a.admit(ctx, what, call, request, ticket, max(a.clock.deadline(), decision.At.Add(a.clock.lateAfter).UnixMicro()))
	}
	if err == nil && decision.Verdict == late {
		err = apierr.RateLimitUnavailable.Because(errLate)
	}
	return decision, err
}

// admit runs the script once; it does nothing after the Redis time notAfter, in µs, when that is not 0.
func (a *Admitter) admit(
	ctx context.Context, what string, call Call, request idempotency.Request, ticket ticket, notAfter int64,
) (Decision, error) {
	names := namesOf(call.Seller)
	keys := []string{names.state(call.Key), names.window(call.Key, call.Class)}
	fingerprint, token := "", ""
	if what == "begin" {
		keys = append(keys, names.entry(request.Digest))
		fingerprint, token = string(request.Fingerprint[:]), ticket.token
	}
	terms := a.terms[call.Class]
	result, err := a.guard.run(ctx, a.scripts.admit, keys,
		what, ticket.nonce, terms.calls, terms.window, terms.rows, call.Reserve, call.Version,
		fingerprint, token, terms.lock, notAfter)
	if err != nil {
		return Decision{}, err
	}
	decision, err := a.read(result, call.Class)
	a.clock.learn(decision.At)
	decision.ticket = ticket
	return decision, err
}

func newTicket(reserve int) ticket {
	var random [nonceBytes + tokenBytes]byte
	_, _ = rand.Read(random[:]) // never fails
	text := string(random[:])
	return ticket{nonce: text[:nonceBytes], token: text[nonceBytes:], rows: reserve}
}

// read takes the reply of admit.lua apart.
func (a *Admitter) read(reply any, class route.Class) (Decision, error) {
	fields, ok := reply.([]any)
	if !ok || len(fields) != 9 {
		return Decision{}, fmt.Errorf("admission: unexpected reply %T", reply)
	}
	number := func(i int) int64 { n, _ := fields[i].(int64); return n }
	text := func(i int) string { s, _ := fields[i].(string); return s }
	micros := func(i int) time.Duration { return time.Duration(number(i)) * time.Microsecond }
	begun, err := idempotency.ReadBegun(text(7), text(8))
	return Decision{
		Verdict: Verdict(text(0)),
		At:      time.UnixMicro(number(1)),
		Usage: ratelimit.Usage{
			Class: class, Window: a.limits.Window,
			Limit: a.limits.Calls(class), Calls: int(number(2)),
			RowsLimit: a.limits.RowBudget(class), Rows: int(number(3)),
			CallsWait: micros(4), RowsWait: micros(5), Reset: micros(6),
		},
		Begun: begun,
	}, err
}
