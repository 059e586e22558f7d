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
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/callers"
	"sellerapi.dev/services/gateway/internal/keystate"
	"sellerapi.dev/services/gateway/internal/upstream"
)

// door leads a call of a known bearer through key state, scope, limits and idempotency to its service.
type door struct {
	gate      *apikey.Gate
	keys      *authenticator
	admitter  *admission.Admitter
	forwarder *upstream.Forwarder
	rereads   singleflight.Group
	decisions *prometheus.CounterVec
	outcomes  *prometheus.CounterVec
	callers   *callers.Board
}

func newDoor(options Options, keys *authenticator) *door {
	return &door{
		gate: options.Gate, keys: keys, admitter: options.Admitter, forwarder: options.Forwarder,
		decisions: options.Telemetry.Counter(telemetry.LimitDecisions),
		outcomes:  options.Telemetry.Counter(telemetry.IdempotencyOutcomes),
		callers:   cmp.Or(options.Callers, &callers.Board{}),
	}
}

// visit is one call at the door.
type visit struct {
	op       *operation.Operation
	bearer   apikey.Bearer
	caller   principal.Principal // the bearer as services know it
	call     admission.Call
	decision admission.Decision
}

// begin is the visit of a bearer. reserve is how many rows the answer may hold.
func begin(bearer apikey.Bearer, op *operation.Operation, reserve int) *visit {
	v := &visit{op: op, call: admission.Call{Class: op.Class, Reserve: reserve}}
	v.as(bearer)
	return v
}

func (v *visit) as(bearer apikey.Bearer) {
	v.bearer, v.caller = bearer, bearer.Principal()
	v.call.Caller = admission.Caller{Seller: bearer.SellerID, Key: bearer.ID}
	v.call.State = stateOf(bearer)
}

// ask is one way to ask for admission: Charge, or Begin with an idempotency key.
type ask func(context.Context, admission.Call) (admission.Decision, error)

// readings is how often a key that Redis does not know is read from PostgreSQL before the call is given up.
const readings = 5

// errNeverKnown says that what was written into Redis was not there right after, time and again.
var errNeverKnown = errors.New("the state of the key does not stay in Redis")

// decide asks for admission and tells the client what is left. A caller without the scope is only looked at, so that it
// is not charged.
//
// Errors: INVALID_API_KEY, SCOPE_FORBIDDEN, RATE_LIMITED, RATE_LIMIT_UNAVAILABLE; Unavailable when PostgreSQL was needed
// and is away or slow.
func (d *door) decide(ctx context.Context, header http.Header, v *visit, charge ask) error {
	allowed := v.caller.Has(v.op.Scope)
	if !allowed {
		charge = d.admitter.Look
	}
	var err error
	for range readings {
		if v.decision, err = charge(ctx, v.call); err != nil {
			d.count(v, "unavailable")
			return err
		}
		if v.decision.Verdict != admission.Unknown {
			return d.judge(header, v, allowed)
		}
		if err = d.reread(ctx, v); err != nil && !errors.Is(err, admission.ErrOldReading) {
			return err
		}
		if v.bearer.State != apikey.Active { // true for ever, whatever Redis forgets in the meantime
			return d.keys.refuse(&apikey.RefusedError{Reason: v.whyEnded(), Key: v.bearer.Key})
		}
	}
	if err != nil {
		return apierr.Unavailable.Because(err)
	}
	return apierr.RateLimitUnavailable.Because(errNeverKnown)
}

// judge turns a decision about a known key into an answer: nil lets the call go on.
func (d *door) judge(header http.Header, v *visit, allowed bool) error {
	if v.decision.Verdict == admission.Revoked {
		return d.keys.refuse(&apikey.RefusedError{Reason: v.whyEnded(), Key: v.bearer.Key})
	}
	v.decision.Usage.WriteHeaders(header)
	switch {
	case !allowed:
		return d.keys.missing(v.op.Scope)
	case v.decision.Verdict == admission.Refused && v.decision.Usage.Exceeded() == "rows":
		d.count(v, "refused_rows")
		return v.decision.Usage.Refusal()
	case v.decision.Verdict == admission.Refused:
		d.count(v, "refused_calls")
		return v.decision.Usage.Refusal()
	default:
		d.count(v, "admitted")
		return nil
	}
}

// whyEnded tells expiry, which Redis decides on its own clock, from revocation.
func (v *visit) whyEnded() apikey.Reason {
	if v.bearer.State == apikey.Expired {
		return apikey.ReasonExpired
	}
	if expiry := v.bearer.ExpiresAt; expiry != nil && !v.decision.At.Before(*expiry) {
		return apikey.ReasonExpired
	}
	return apikey.ReasonRevoked
}

// reread asks PostgreSQL about the visit's key and tells Redis, once for all calls of the key that wait for it. The
// Redis time of the failed decision is from before the reading, as keystate demands. Errors: those of explained and PutKey;
// with ErrOldReading the visit knows all the same what PostgreSQL said.
func (d *door) reread(ctx context.Context, v *visit) error {
	fresh, err, _ := d.rereads.Do(v.bearer.ID.String(), func() (any, error) {
		ctx := context.WithoutCancel(ctx)
		bearer, err := d.gate.Reread(ctx, v.bearer)
		if err != nil {
			return nil, d.keys.explained(err)
		}
		return bearer, d.admitter.PutKey(ctx, v.call.Caller, stateOf(bearer), v.decision.At)
	})
	if bearer, known := fresh.(apikey.Bearer); known {
		v.as(bearer)
	}
	return err
}

// stateOf is what Redis shall know of a bearer's key.
func stateOf(bearer apikey.Bearer) keystate.State {
	state := keystate.State{Revoked: bearer.RevokedAt != nil, Version: bearer.Version}
	if bearer.ExpiresAt != nil {
		state.ExpiresAt = *bearer.ExpiresAt
	}
	return state
}

func (d *door) count(v *visit, outcome string) {
	d.decisions.WithLabelValues(string(v.op.Class), outcome).Inc()
	d.callers.Called(v.bearer.SellerID, time.Now())
}

// retryBusy is when a client may ask again for a request that is still being processed.
const retryBusy = time.Second
