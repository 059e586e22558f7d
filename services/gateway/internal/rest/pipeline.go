package rest

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/singleflight"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/callers"
	"sellerapi.dev/services/gateway/internal/held"
	"sellerapi.dev/services/gateway/internal/ratelimit"
	"sellerapi.dev/services/gateway/internal/upstream"
)

// pipeline passes a call of a known bearer through key state, scope, limits and idempotency to its service.
type pipeline struct {
	verifier  *apikey.Verifier
	keys      *authenticator
	admitter  *admission.Admitter
	forwarder *upstream.Forwarder
	rereads   singleflight.Group
	decisions *prometheus.CounterVec
	outcomes  *prometheus.CounterVec
	callers   *callers.Board
	addresses *addressLimit
	budget    *budget
	queues    *queues
	pace      pace
	held      *held.Table
	requests  *Requests
}

func newPipeline(options Options, keys *authenticator) *pipeline {
	return &pipeline{
		verifier: options.Verifier, keys: keys, admitter: options.Admitter, forwarder: options.Forwarder,
		decisions: options.Telemetry.Counter(telemetry.LimitDecisions),
		outcomes:  options.Telemetry.Counter(telemetry.IdempotencyOutcomes),
		callers:   cmp.Or(options.Callers, &callers.Board{}),
		addresses: newAddressLimit(options),
		budget:    newBudget(options.BodyMemory, options.Telemetry),
		queues:    newQueues(options.Telemetry),
		held:      cmp.Or(options.Held, held.New(held.Options{Telemetry: options.Telemetry})),
		requests:  options.Requests,
		pace:      pace{after: cmp.Or(options.BodyTimeout, paceAfter), max: max(options.BodyTimeout, maxBodyTime)},
	}
}

// inbound is a call in the pipeline.
type inbound struct {
	op       *operation.Operation
	bearer   apikey.Bearer
	call     admission.Call
	decision admission.Decision
	charged  bool          // from the head of the request
	counted  bool          // as admitted, in the metrics
	reading  time.Duration // of its body
	waited   time.Duration // in the queue of its seller
	releases []func()      // what to do once the call is answered
}

// free releases the resources of the call.
func (in *inbound) free() {
	for _, release := range in.releases {
		release()
	}
}

// newInbound returns the call of a bearer. reserve is the maximum number of rows in the answer.
func newInbound(bearer apikey.Bearer, op *operation.Operation, reserve int) *inbound {
	in := &inbound{op: op, call: admission.Call{Class: op.Class, Reserve: reserve}}
	in.as(bearer)
	return in
}

// maxCallTime limits the time of a call from the first byte of its body to the last byte of the answer. Servers wait a little
// longer.
var maxCallTime = operation.MaxTimeout()

// remaining returns the operation with the time that is left for its service.
func (in *inbound) remaining() operation.Operation {
	op := *in.op
	op.Timeout = min(op.Timeout, maxCallTime-in.reading) - in.waited
	return op
}

func (in *inbound) as(bearer apikey.Bearer) {
	in.bearer, in.call.Key = bearer, bearer.Key
}

// admitFunc is a way to request admission: Charge, or Begin or BeginCharged with an idempotency key.
type admitFunc func(context.Context, admission.Call) (admission.Decision, error)

// readings is the maximum number of times that a key unknown to Redis is read from PostgreSQL before the call fails.
const readings = 5

// errNeverKnown says that key state written to Redis was repeatedly missing right afterwards.
var errNeverKnown = errors.New("the state of the key cannot be kept in Redis")

// decide requests admission and sets the rate limit headers, which a call has in common with its key: a key that has ended
// since the call was charged has none. A caller without the scope is checked but not charged.
//
// Errors: INVALID_API_KEY, SCOPE_FORBIDDEN, RATE_LIMITED, RATE_LIMIT_UNAVAILABLE; Unavailable if PostgreSQL is needed and is
// unavailable or slow.
func (p *pipeline) decide(ctx context.Context, header http.Header, in *inbound, charge admitFunc) error {
	err := p.decideOn(ctx, header, in, charge)
	if errors.Is(err, apierr.InvalidAPIKey) {
		ratelimit.RemoveHeaders(header)
	}
	return err
}

// decideOn implements decide, whatever headers the call has already.
func (p *pipeline) decideOn(ctx context.Context, header http.Header, in *inbound, charge admitFunc) error {
	allowed := in.op.OpenTo(in.bearer.Principal)
	if !allowed {
		charge = p.admitter.Look
	}
	var err error
	for range readings {
		if in.decision, err = charge(ctx, in.call); err != nil {
			p.count(in, outcomeUndecided(err))
			return err
		}
		if in.decision.Verdict != admission.Unknown {
			return p.enforce(header, in, allowed)
		}
		if err = p.reread(ctx, in); err != nil && !errors.Is(err, admission.ErrOldReading) {
			return err
		}
		if in.bearer.State != apikey.Active { // final, even if Redis loses the state in the meantime
			return p.keys.refuse(&apikey.RefusedError{Reason: in.whyEnded(), Key: in.bearer.Key})
		}
	}
	if err != nil {
		return apierr.Unavailable.Because(err)
	}
	return apierr.RateLimitUnavailable.Because(errNeverKnown)
}

// outcomeUndecided returns the outcome of a call without a decision from Redis.
func outcomeUndecided(err error) string {
	if errors.Is(err, admission.ErrFull) {
		return "full"
	}
	return "unavailable"
}

// enforce returns the error for a decision about a known key; nil if the call is admitted.
func (p *pipeline) enforce(header http.Header, in *inbound, allowed bool) error {
	if in.decision.Verdict == admission.Revoked {
		return p.keys.refuse(&apikey.RefusedError{Reason: in.whyEnded(), Key: in.bearer.Key})
	}
	in.decision.Usage.WriteHeaders(header)
	switch {
	case !allowed:
		return p.keys.missing(in.op.Scope)
	case in.decision.Verdict == admission.Refused && in.decision.Usage.Exceeded() == "rows":
		p.count(in, "refused_rows")
		return in.decision.Usage.Refusal()
	case in.decision.Verdict == admission.Refused:
		p.count(in, "refused_calls")
		return in.decision.Usage.Refusal()
	default:
		if !in.counted {
			in.counted = true
			p.count(in, "admitted")
		}
		return nil
	}
}

// whyEnded distinguishes expiry, which Redis decides on its own clock, from revocation.
func (in *inbound) whyEnded() apikey.Reason {
	if in.bearer.State == apikey.Expired {
		return apikey.ReasonExpired
	}
	if expiry := in.bearer.ExpiresAt; expiry != nil && !in.decision.At.Before(*expiry) {
		return apikey.ReasonExpired
	}
	return apikey.ReasonRevoked
}

// reread reads the key of the call from PostgreSQL and writes it to Redis, once for all waiting calls of the key. The Redis
// time of the failed decision precedes the read, as keystate requires. Errors: those of explained and PutKey; with
// ErrOldReading the call has the key's current state all the same.
func (p *pipeline) reread(ctx context.Context, in *inbound) error {
	fresh, err, _ := p.rereads.Do(in.bearer.ID.String(), func() (any, error) {
		ctx := context.WithoutCancel(ctx)
		bearer, err := p.verifier.Reread(ctx, in.bearer)
		if err != nil {
			return nil, p.keys.explained(err)
		}
		return bearer, p.admitter.PutKey(ctx, bearer.Key, in.decision.At)
	})
	if bearer, known := fresh.(apikey.Bearer); known {
		in.as(bearer)
	}
	return err
}

func (p *pipeline) count(in *inbound, outcome string) {
	p.decisions.WithLabelValues(string(in.op.Class), outcome).Inc()
	p.callers.Called(in.bearer.SellerID, time.Now())
}
