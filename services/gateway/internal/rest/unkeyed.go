package rest

import (
	"context"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/services/gateway/internal/upstream"
)

// beginUnkeyed is begin for an operation that changes nothing: it is charged, and has no idempotency key.
func (p *pipeline) beginUnkeyed(ctx context.Context, c *gin.Context, in *inbound, content []byte) error {
	if err := p.waitForBody(ctx, in, content); err != nil || in.charged {
		return err
	}
	return p.decide(ctx, c.Writer.Header(), in, p.admitter.Charge)
}

// forwardUnkeyed forwards a request that changes nothing; it ends when the client has gone.
func (p *pipeline) forwardUnkeyed(c *gin.Context, in *inbound) (any, error) {
	answer, err := p.forwarder.Fetch(c.Request, upstream.Call{Operation: in.remaining(), Caller: in.bearer.Principal})
	if err != nil {
		return nil, err
	}
	return passOn(c, answer), nil
}
