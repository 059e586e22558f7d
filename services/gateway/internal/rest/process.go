package rest

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/upstream"
)

// process is the way of a process call: charged together with the begin of its idempotency key, carried to its end
// whether or not the client stays, and kept before the client gets it.
func (d *door) process(op operation.Operation) gin.HandlerFunc {
	return web.Handle(func(c *gin.Context) (any, error) {
		bearer, err := d.keys.authenticate(c)
		if err != nil {
			return nil, err
		}
		sent, wrong := readSent(c, op)
		v := begin(bearer, &op, 0)
		charge := d.admitter.Charge
		var request idempotency.Request
		if wrong == nil {
			charge = func(ctx context.Context, call admission.Call) (admission.Decision, error) {
				if asked, err := d.askFirst(ctx, call, sent); err != nil || asked.Verdict != admission.Admitted {
					return asked, err
				}
				request = sent.request()
				return d.admitter.Begin(ctx, call, request)
			}
		}
		if err := d.decide(c.Request.Context(), c.Writer.Header(), v, charge); err != nil {
			return nil, err
		}
		if wrong != nil {
			return nil, wrong
		}
		return d.answer(c, v, request)
	})
}

// sent is a process call as it came: what its Idempotency-Key stands for is not known yet.
type sent struct {
	digest       inbox.Digest
	method, path string
	body         []byte
}

// request is what the key stands for. It costs as much as the body is long.
func (s *sent) request() idempotency.Request {
	return idempotency.Request{Digest: s.digest, Fingerprint: idempotency.NewFingerprint(s.method, s.path, s.body)}
}

// readSent reads key and body. Errors: those of idempotency.ParseKey and readBody.
func readSent(c *gin.Context, op operation.Operation) (*sent, error) {
	digest, keyErr := idempotency.ParseKey(c.Request.Header)
	body, err := holdBody(c.Request, op.MaxBodyBytes)
	switch {
	case keyErr != nil:
		return nil, keyErr
	case err != nil:
		return nil, err
	case op.BodyIgnored:
		body = nil
	}
	return &sent{digest: digest, method: op.Method, path: c.Request.URL.EscapedPath(), body: body}, nil
}

// weighty is the size of a body, in bytes, from which on a call asks for admission before it is compared with others. A call
// that is refused is not counted, so it must not cost much either.
const weighty = 64 << 10

// askFirst tells whether a call may ask for its key.
func (d *door) askFirst(ctx context.Context, call admission.Call, s *sent) (admission.Decision, error) {
	if len(s.body) < weighty {
		return admission.Decision{Verdict: admission.Admitted}, nil
	}
	return d.admitter.Ask(ctx, call)
}

// answer gives what the key has met: the first answer, a refusal, or the service's word.
func (d *door) answer(c *gin.Context, v *visit, request idempotency.Request) (any, error) {
	begun := v.decision.Begun
	switch begun.Outcome {
	case idempotency.Busy:
		d.outcomes.WithLabelValues("busy").Inc()
		return nil, apierr.IdempotencyInProgress.After(min(max(begun.LockLeft, time.Millisecond), retryBusy))
	case idempotency.Reused:
		d.outcomes.WithLabelValues("reused").Inc()
		return nil, apierr.IdempotencyKeyReused
	case idempotency.Expired:
		d.outcomes.WithLabelValues("gone").Inc()
		return nil, apierr.IdempotencyResultExpired
	case idempotency.Replay:
		d.outcomes.WithLabelValues("replayed").Inc()
		c.Header(inbox.ReplayedHeader, "true")
		return web.Answer{Status: begun.Answer.Status, Body: begun.Answer.Body}, nil
	case idempotency.Recorded:
		d.outcomes.WithLabelValues("recorded").Inc()
		return d.carry(c, v, request)
	default:
		d.outcomes.WithLabelValues("new").Inc()
		return d.carry(c, v, request)
	}
}

// carry takes the request to its service and ends its key. The client's leaving does not stop it: the effect may have
// happened already, and the answer is worth keeping.
func (d *door) carry(c *gin.Context, v *visit, request idempotency.Request) (any, error) {
	ctx := context.WithoutCancel(c.Request.Context())
	var ending idempotency.Ending
	answer, err := d.forwarder.Fetch(c.Request.WithContext(ctx), upstream.Trip{
		Operation: *v.op, Caller: v.caller,
		Inbox:    inbox.FormatHeader(request.Digest, request.Fingerprint),
		Answered: func(header http.Header) { ending.Outcome = inbox.ParseOutcome(header.Get(inbox.Header)) },
	})
	if err != nil {
		d.finish(ctx, v, request, idempotency.Ending{})
		return nil, err
	}
	ending.Answer = inbox.Answer{Status: answer.Status, Body: answer.Body}
	d.finish(ctx, v, request, ending)
	if ending.Fault() {
		answer.Header.Del(inbox.ReplayedHeader)
	}
	for _, name := range []string{"Retry-After", "Content-Language", inbox.ReplayedHeader} {
		if value := answer.Header.Get(name); value != "" {
			c.Header(name, value)
		}
	}
	return web.Answer{Status: answer.Status, Body: answer.Body}, nil
}

// finish ends the key in Redis. One that can not be ended now ends with its lock; a repetition that its service answered
// held none, and can not be late.
func (d *door) finish(ctx context.Context, v *visit, request idempotency.Request, ending idempotency.Ending) {
	held, err := d.admitter.Finish(ctx, v.call, v.decision, request, ending)
	switch {
	case (err != nil || !held) && v.decision.Begun.Outcome == idempotency.New:
		d.outcomes.WithLabelValues("late").Inc()
	case ending.Stored():
		d.outcomes.WithLabelValues("stored").Inc()
	default:
		d.outcomes.WithLabelValues("not_stored").Inc()
	}
}
