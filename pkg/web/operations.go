package web

import (
	"context"
	"fmt"
	"time"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/actor"
	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
)

// Handlers maps operation names to handlers.
type Handlers map[string]gin.HandlerFunc

// RegisterOperations serves operations of the table, which all must belong to
// the service, with their handlers. It is the only way to a public route, so
// that none exists without the checks of its row: the caller is authenticated,
// carries the scope, sends no larger body and waits no longer than the row says.
// The gateway has checked all that already; a route that it forwards by mistake
// must not become a way around it.
//
// The error names the operations that have no handler, or the handlers that have
// no operation; nothing is registered then.
func RegisterOperations(engine *gin.Engine, callers *principal.Verifier, operations []operation.Operation,
	handlers Handlers,
) error {
	left := make(map[string]bool, len(handlers))
	for name := range handlers {
		left[name] = true
	}
	for _, op := range operations {
		if handlers[op.Name] == nil {
			return fmt.Errorf("operation %s has no handler", op.Name)
		}
		delete(left, op.Name)
	}
	for name := range left {
		return fmt.Errorf("handler %s belongs to no operation of this service", name)
	}
	for _, op := range operations {
		engine.Handle(op.Method, op.Path, admit(callers, op), handlers[op.Name])
	}
	return nil
}

// admit checks a request against the row of its operation and puts its caller
// into its context. A request without one valid signed principal is answered 401
// without a published code: clients never see it, because the gateway signs every
// request that it forwards. The reason is only logged. The body is not read here:
// rawBody compares it with the signed digest.
func admit(callers *principal.Verifier, op operation.Operation) gin.HandlerFunc {
	return func(c *gin.Context) {
		caller, err := callers.VerifyRequest(c.Request, time.Now())
		if err != nil {
			Fail(c, apierr.Unauthenticated.Because(err))
			return
		}
		SetCaller(c, caller.SellerID, caller.KeyPrefix)
		if !op.OpenTo(caller.Principal) {
			Fail(c, apierr.ScopeForbidden.With(map[string]any{"required_scope": op.Scope}))
			return
		}
		rec := recordOf(c.Request)
		rec.bodyBytesMax, rec.checkBody = op.MaxBodyBytes, caller.CheckBody
		ctx := principal.NewContext(c.Request.Context(), caller.Principal)
		if op.Class == operation.Process {
			ctx = actor.NewContext(ctx, actor.Actor{
				By: actor.Seller, KeyID: caller.KeyID, KeyPrefix: caller.KeyPrefix, RequestID: rec.RequestID,
			})
		}
		ctx, cancel := context.WithTimeout(ctx, op.Timeout)
		defer cancel()
		c.Request = c.Request.WithContext(ctx)
		c.Next()
	}
}
