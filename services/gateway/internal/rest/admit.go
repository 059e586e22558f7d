package rest

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/idempotency"
)

// readHead parses the idempotency key, unless the operation ignores it, and checks the announced length. Errors: those of
// idempotency.ParseKey, BodyTooLarge.
func readHead(r *http.Request, op *operation.Operation) (inbox.Digest, error) {
	var digest inbox.Digest
	var err error
	if !op.Unkeyed {
		digest, err = idempotency.ParseKey(r.Header)
	}
	if err == nil && r.ContentLength > op.MaxBodyBytes {
		err = web.TooLarge(op.MaxBodyBytes)
	}
	return digest, err
}

// admit checks a call from its head, waits for its body, then charges the call and begins its idempotency key, so that a key in
// use costs what it should. A call with a large body is charged before it is read; one whose body cannot be read is charged all
// the same.
//
// Errors: those of decide and readBody.
func (p *pipeline) admit(c *gin.Context, in *inbound, digest inbox.Digest) (idempotency.Request, error) {
	ctx := c.Request.Context()
	body := incomingOf(ctx)
	if body == nil {
		return p.begin(ctx, c, in, digest, nil)
	}
	head := p.admitter.Look
	if body.large() {
		head = p.admitter.Charge
	}
	if err := p.decide(ctx, c.Writer.Header(), in, head); err != nil {
		return idempotency.Request{}, err
	}
	in.charged = body.large()
	content, err := p.readBody(in, body)
	ctx = context.WithoutCancel(ctx) // the deadline of a read cancels the context when it passes
	if err != nil && !in.charged {
		err = cmp.Or(p.decide(ctx, c.Writer.Header(), in, p.admitter.Charge), err)
	}
	if err != nil {
		return idempotency.Request{}, err
	}
	return p.begin(ctx, c, in, digest, content)
}

// readBody reads the body of a call. A large one uses the budget until the call is released. Errors: those of readAll and
// budget.take.
func (p *pipeline) readBody(in *inbound, body *incoming) ([]byte, error) {
	if in.charged {
		release, err := p.budget.take(in.bearer.ID, weightOf(body.announced, in.op))
		if err != nil {
			return nil, err
		}
		in.releases = append(in.releases, release)
	}
	began := time.Now()
	content, err := body.read(in.op.MaxBodyBytes, p.pace)
	in.reading = time.Since(began)
	if errors.Is(err, apierr.BodyTooSlow) {
		p.budget.refusals.WithLabelValues(refusedSlow).Inc()
	}
	return content, err
}

// begin begins the idempotency key of a call whose body was read, and charges the call unless that was done. A large body waits
// in its seller's queue.
func (p *pipeline) begin(
	ctx context.Context, c *gin.Context, in *inbound, digest inbox.Digest, content []byte,
) (idempotency.Request, error) {
	replaceBody(c.Request, content)
	if in.op.BodyIgnored {
		content = nil
	}
	if in.op.Unkeyed {
		return idempotency.Request{}, p.beginUnkeyed(ctx, c, in, content)
	}
	request := idempotency.Request{Digest: digest}
	if err := p.waitForBody(ctx, in, content); err != nil {
		return request, err
	}
	err := web.InSlot(ctx, int64(len(content)), func() {
		request.Fingerprint = idempotency.NewFingerprint(routedTo(c, in.op), content)
	})
	if err != nil {
		return request, err
	}
	charged := in.decision
	err = p.decide(ctx, c.Writer.Header(), in, func(ctx context.Context, call admission.Call) (admission.Decision, error) {
		if in.charged {
			return p.admitter.BeginCharged(ctx, call, charged, request)
		}
		return p.admitter.Begin(ctx, call, request)
	})
	return request, err
}

// waitForBody waits with a large body in the queue of its seller. Errors: those of queues.wait.
func (p *pipeline) waitForBody(ctx context.Context, in *inbound, content []byte) error {
	if !web.IsLarge(int64(len(content))) {
		return nil
	}
	release, err := p.queues.wait(ctx, in, maxRowsAtOnce)
	if err == nil {
		in.releases = append(in.releases, release)
	}
	return err
}

func routedTo(c *gin.Context, op *operation.Operation) idempotency.Routed {
	routed := idempotency.Routed{Method: op.Method, Template: op.Path, Values: make([]string, len(c.Params))}
	for i, param := range c.Params {
		routed.Values[i] = param.Value
	}
	return routed
}
