package web

import (
	"context"
	"fmt"
	"time"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
)

// Handlers are handlers by the name of their operation.
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
func RegisterOperations(engine *gin.Engine, callers *principal.Signer, operations []operation.Operation, handlers Handlers) error {
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
// without a published code: a client never gets there, because the gateway signs
// every request that it forwards. Why it was refused is in the log only.
func admit(callers *principal.Signer, op operation.Operation) gin.HandlerFunc {
	return func(c *gin.Context) {
		caller, err := verify(callers, c)
		if err != nil {
			Fail(c, apierr.Unauthenticated.Because(err))
			return
		}
		SetCaller(c, caller.SellerID, caller.KeyPrefix)
		if !caller.Has(op.Scope) {
			Fail(c, apierr.ScopeForbidden.With(map[string]any{"required_scope": op.Scope}))
			return
		}
		recordOf(c.Request).bodyBytesMax = op.MaxBodyBytes
		ctx, cancel := context.WithTimeout(principal.NewContext(c.Request.Context(), caller), op.Timeout)
		defer cancel()
		c.Request = c.Request.WithContext(ctx)
		c.Next()
	}
}

// verify reads the header. Two of them are none: it is unclear who wrote which.
func verify(callers *principal.Signer, c *gin.Context) (principal.Principal, error) {
	values := c.Request.Header.Values(principal.Header)
	if len(values) != 1 {
		return principal.Principal{}, principal.ErrMissing
	}
	return callers.Verify(c.Request.Method, c.Request.URL.EscapedPath(), values[0], time.Now())
}
