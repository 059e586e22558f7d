package rest

import (
	"cmp"
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/upstream"
)

// process returns the handler of a process call: decided from its head, charged once, completed even if the client has gone, and
// stored before the client gets the answer.
func (p *pipeline) process(op operation.Operation) gin.HandlerFunc {
	return web.Handle(func(c *gin.Context) (any, error) {
		answer, err := p.processed(c, &op)
		return answer, p.addresses.limit(c, err)
	})
}

func (p *pipeline) processed(c *gin.Context, op *operation.Operation) (any, error) {
	bearer, err := p.keys.authenticate(c)
	if err != nil {
		return nil, err
	}
	in := newInbound(bearer, op, 0)
	digest, wrong := readHead(c.Request, op)
	if wrong != nil {
		return nil, cmp.Or(p.decide(c.Request.Context(), c.Writer.Header(), in, p.admitter.Charge), wrong)
	}
	defer in.free()
	request, err := p.admit(c, in, digest)
	if err != nil {
		return nil, err
	}
	if op.Unkeyed {
		return p.forwardUnkeyed(c, in)
	}
	facts := web.FactsOf(c)
	facts.Keyed, facts.IdempotencyKey, facts.First = true, request.Digest, in.decision.Begun.Outcome == idempotency.New
	return p.answer(c, in, request)
}

// answer returns a refusal for the key's state, or the service's answer, which is the first answer of an answered key.
func (p *pipeline) answer(c *gin.Context, in *inbound, request idempotency.Request) (any, error) {
	begun := in.decision.Begun
	switch begun.Outcome {
	case idempotency.Busy:
		p.outcomes.WithLabelValues("busy").Inc()
		return nil, apierr.IdempotencyInProgress.After(begun.RetryAfter())
	case idempotency.Reused:
		p.outcomes.WithLabelValues("reused").Inc()
		return nil, apierr.IdempotencyKeyReused
	case idempotency.Expired:
		p.outcomes.WithLabelValues("expired").Inc()
		return nil, apierr.IdempotencyResultExpired
	case idempotency.Answered:
		p.outcomes.WithLabelValues("replayed").Inc()
		return p.forward(c, in, request)
	default:
		p.outcomes.WithLabelValues("new").Inc()
		defer p.admitter.Hold(in.call, in.decision, request)()
		return p.forward(c, in, request)
	}
}

// forward forwards the request to its service and ends its key. It continues if the client has gone: the effect may have happened
// already, and the answer must be stored.
func (p *pipeline) forward(c *gin.Context, in *inbound, request idempotency.Request) (any, error) {
	ctx := context.WithoutCancel(c.Request.Context())
	var ending idempotency.Ending
	answer, err := p.forwarder.Fetch(c.Request.WithContext(ctx), upstream.Call{
		Operation: in.remaining(), Caller: in.bearer.Principal,
		Inbox:    inbox.FormatHeader(request.Digest, request.Fingerprint),
		Answered: func(header http.Header) { ending.Outcome = inbox.ParseOutcome(header.Get(inbox.Header)) },
	})
	if err != nil {
		p.finish(ctx, in, request, idempotency.Ending{})
		return nil, err
	}
	ending.Answer = inbox.Answer{Status: answer.Status, Body: answer.Body}
	p.finish(ctx, in, request, ending)
	if ending.Fault() {
		answer.Header.Del(inbox.ReplayedHeader)
	}
	return passOn(c, answer), nil
}

// passOn returns the service's answer for the client, and sets those of its headers that clients get.
func passOn(c *gin.Context, answer upstream.Answer) web.Answer {
	for _, name := range []string{"Retry-After", "Content-Language", inbox.ReplayedHeader} {
		if value := answer.Header.Get(name); value != "" {
			c.Header(name, value)
		}
	}
	facts := web.FactsOf(c)
	facts.Replayed = answer.Header.Get(inbox.ReplayedHeader) != ""
	noteRefusal(facts, answer)
	return web.Answer{Status: answer.Status, Body: answer.Body}
}

// noteRefusal records the body of a refusal of a service.
func noteRefusal(facts *web.Facts, answer upstream.Answer) {
	if answer.Status >= http.StatusBadRequest {
		facts.Refusal = answer.Body
	}
}

// finish ends the key in Redis. If that fails, the key's lease ends. A repeated call held none, and its outcome was counted when
// it arrived.
func (p *pipeline) finish(ctx context.Context, in *inbound, request idempotency.Request, ending idempotency.Ending) {
	held, err := p.admitter.Finish(ctx, in.call, in.decision, request, ending)
	switch {
	case in.decision.Begun.Outcome != idempotency.New:
	case err != nil || !held:
		p.outcomes.WithLabelValues("late").Inc()
	case ending.Stored():
		p.outcomes.WithLabelValues("stored").Inc()
	default:
		p.outcomes.WithLabelValues("not_stored").Inc()
	}
}
