package rpc

import (
	"context"
	"fmt"
	"net/http"

	"connectrpc.com/connect"
)

// Refusal is a call that was answered with permission_denied.
type Refusal struct {
	// Caller is the name in the token, which was valid; Procedure is the procedure that it may not call.
	Caller, Procedure string
	// Message is the request, nil when it could not be read.
	Message any
}

// Recorder records a refusal. It is called for each one, concurrently: before the response is sent, or after it when the
// message could not be read. The context may be done, because the caller may have disconnected.
type Recorder func(ctx context.Context, refused Refusal)

// recording is the outermost interceptor; it sets the recorders of a refusal.
func recording(recorders []Recorder) connect.RequestGateFunc {
	return func(ctx context.Context, _ connect.Spec, _ connect.Peer, _ http.Header) (context.Context, error) {
		callFrom(ctx).recorders = recorders
		return ctx, nil
	}
}

// deny refuses a call. With recorders the message is read first, so that they learn what was wanted, and the interceptor refuses;
// no interceptor is called for a stream.
func (c *call) deny(spec connect.Spec) error {
	refused := connect.NewError(connect.CodePermissionDenied, fmt.Errorf("caller %q may not call %s", c.caller, spec.Procedure))
	c.code = refused.Code().String()
	if len(c.recorders) == 0 || spec.StreamType != connect.StreamTypeUnary {
		return refused
	}
	c.refused = refused
	return nil
}

func (c *call) refusing(ctx context.Context, request connect.AnyRequest) (connect.AnyResponse, error) {
	refused := c.refused
	c.report(ctx, request.Any())
	return nil, refused
}

// report calls the recorders for a refused call, unless they were called before.
func (c *call) report(ctx context.Context, message any) {
	if c.refused == nil {
		return
	}
	c.refused = nil
	for _, record := range c.recorders {
		record(ctx, Refusal{Caller: c.caller, Procedure: c.procedure, Message: message})
	}
}
