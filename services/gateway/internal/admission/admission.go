package admission

import (
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/keystate"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

// Call is one request that asks for admission.
type Call struct {
	// Key is the caller's key as the gateway knows it.
	Key   apikey.Key
	Class operation.Class
	// Reserve is the maximum number of rows in the answer; at most 255.
	Reserve int
}

// Verdict is the outcome of a call.
type Verdict string

// The verdicts.
const (
	// Unknown: Redis has no state for the key, or has a newer version. Nothing was charged.
	Unknown Verdict = "unknown"
	// Revoked: the key is revoked or expired. Nothing was charged.
	Revoked Verdict = "revoked"
	// Refused: a limit is exceeded. Nothing was charged.
	Refused Verdict = "refused"
	// Admitted: the call was charged, or only checked (Look).
	Admitted Verdict = "admitted"

	// late: the command ran so late that its caller has gone. Nothing was charged.
	late Verdict = "late"
	// full: Redis has no memory for another idempotency key. Nothing was charged.
	full Verdict = "full"
)

// Decision is the answer to a call.
type Decision struct {
	Verdict Verdict
	// At is the Redis time of the decision.
	At time.Time
	// Usage is set for Refused and Admitted.
	Usage ratelimit.Usage
	// Begun is set for an admitted call that began an idempotency key.
	Begun idempotency.Begun

	ticket ticket
}

// ticket identifies one charge in its window and one lease on an idempotency key.
type ticket struct {
	nonce, token string
	// rows is the number of rows charged, once every settlement has arrived; the last settlement closes settled.
	rows    int
	settled chan struct{}
}

const (
	nonceBytes = 6
	tokenBytes = 16
)

// ErrFull says that Redis has no memory for another idempotency key.
var ErrFull = errors.New("admission: Redis is out of memory")

// Admitter admits or refuses calls. It is safe for concurrent use.
type Admitter struct {
	guard  *guard
	limits ratelimit.Config
	locks  idempotency.Config

	scripts    scripts
	clock      clock
	leases     leases
	background sync.WaitGroup // settlements in the background
}

// New returns an Admitter for a Redis client. Open the client with Scripts, so that each connection has loaded them.
func New(client goredis.UniversalClient, limits ratelimit.Config, locks idempotency.Config) *Admitter {
	defaults.Fill(&limits)
	return newAdmitter(client, limits, locks.WithDefaults(), production)
}

func newAdmitter(client goredis.UniversalClient, limits ratelimit.Config, locks idempotency.Config, scripts scripts) *Admitter {
	return &Admitter{
		guard: newGuard(client, limits.Timeout), limits: limits, locks: locks, scripts: scripts,
		clock: clock{lateAfter: limits.Timeout + lateMargin},
	}
}

// Look decides as Charge does, and charges nothing.
func (a *Admitter) Look(ctx context.Context, call Call) (Decision, error) {
	return a.decide(ctx, "look", call, idempotency.Request{}, newTicket(call.Reserve))
}

// Charge decides on a call and charges it if it is admitted.
//
// RATE_LIMIT_UNAVAILABLE: Redis did not answer.
func (a *Admitter) Charge(ctx context.Context, call Call) (Decision, error) {
	return a.decide(ctx, "charge", call, idempotency.Request{}, newTicket(call.Reserve))
}

// Begin is Charge, and begins the idempotency key of an admitted call. A key that Redis may have begun without an answer is
// released.
//
// RATE_LIMIT_UNAVAILABLE: Redis did not answer, or has no memory for a new key.
func (a *Admitter) Begin(ctx context.Context, call Call, request idempotency.Request) (Decision, error) {
	return a.begin(ctx, "begin", call, request, newTicket(call.Reserve))
}

// BeginCharged begins the idempotency key of a call that Charge has admitted. It does not charge the call again while the first
// charge is in the window, and keeps that charge if the idempotency key is busy.
func (a *Admitter) BeginCharged(ctx context.Context, call Call, charged Decision, request idempotency.Request) (Decision, error) {
	return a.begin(ctx, "begin_charged", call, request, charged.ticket)
}

func (a *Admitter) begin(ctx context.Context, what string, call Call, request idempotency.Request, ticket ticket,
) (Decision, error) {
	decision, err := a.decide(ctx, what, call, request, ticket)
	if err != nil && !errors.Is(err, errOpen) && !errors.Is(err, ErrFull) {
		a.letGo(ctx, call, decision, request)
	}
	return decision, err
}

// decide runs the script. A verdict of late on an answer that came in time means that the Redis clock was changed; the script
// then runs once more with the new time.
func (a *Admitter) decide(ctx context.Context, what string, call Call, request idempotency.Request,
	ticket ticket,
) (Decision, error) {
	decision, err := a.admit(ctx, what, call, request, ticket, a.clock.deadline())
	if err == nil && decision.Verdict == late {
		decision, err = a.admit(ctx, what, call, request, ticket,
			max(a.clock.deadline(), decision.At.Add(a.clock.lateAfter).UnixMicro()))
	}
	if err == nil && decision.Verdict == late {
		err = apierr.RateLimitUnavailable.Because(errLate)
	}
	if err == nil && decision.Verdict == full {
		err = apierr.RateLimitUnavailable.Because(ErrFull)
	}
	decision.ticket = ticket
	return decision, err
}

// admit runs the script once. The script does nothing after the Redis time notAfter, in µs, unless that is 0.
func (a *Admitter) admit(
	ctx context.Context, what string, call Call, request idempotency.Request, ticket ticket, notAfter int64,
) (Decision, error) {
	names := namesOf(call.Key.SellerID)
	script, keys := a.scripts.admit, []string{names.state(call.Key.ID), names.window(call.Key.ID, call.Class)}
	begins := what == "begin" || what == "begin_charged"
	args := a.arguments(what, call, ticket.nonce, notAfter)
	if begins {
		script, keys, args = a.scripts.begin, append(keys, names.entry(request.Digest)),
			append(args, request.Fingerprint[:], ticket.token)
	}
	answer, err := a.guard.run(ctx, script, keys, args...)
	if begins && goredis.HasErrorPrefix(err, "OOM ") {
		answer, err = a.guard.run(ctx, a.scripts.beginFull, keys, args...)
	}
	if err != nil {
		return Decision{}, err
	}
	decision, err := a.read(answer, call.Class)
	a.clock.learn(decision.At)
	return decision, err
}

// arguments returns the arguments of a call for admit.lua, without those that only begin has.
func (a *Admitter) arguments(what string, call Call, nonce string, notAfter int64) []any {
	return []any{
		a.limits.Calls(call.Class), a.limits.RowBudget(call.Class), a.limits.Window.Milliseconds(), a.locks.Lease.Milliseconds(),
		what, nonce, call.Reserve, notAfter, keystate.Entry(call.Key),
	}
}

func newTicket(reserve int) ticket {
	var random [nonceBytes + tokenBytes]byte
	_, _ = rand.Read(random[:]) // never fails
	text := string(random[:])
	return ticket{nonce: text[:nonceBytes], token: text[nonceBytes:], rows: reserve}
}

// read parses the answer of admit.lua.
func (a *Admitter) read(answer any, class operation.Class) (Decision, error) {
	list, _ := answer.([]any)
	r := reply{rest: list}
	decision := Decision{Verdict: Verdict(next[string](&r)), At: time.UnixMicro(next[int64](&r))}
	if decision.Verdict == Refused || decision.Verdict == Admitted {
		decision.Usage = ratelimit.Usage{
			Class: class, Window: a.limits.Window, Limit: a.limits.Calls(class), RowsLimit: a.limits.RowBudget(class),
			Calls: r.number(), Rows: r.number(), CallsWait: r.micros(), RowsWait: r.micros(), Reset: r.micros(),
		}
		decision.Begun = idempotency.Begun{Outcome: idempotency.Outcome(next[string](&r)), Age: r.micros(), LeaseLeft: r.micros()}
	}
	if r.broken {
		return decision, errReply
	}
	return decision, nil
}
