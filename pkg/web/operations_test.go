package web_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/web"
)

// newSigner signs and recognises callers.
func newSigner(t *testing.T, key byte) *principal.Signer {
	t.Helper()
	signer, err := principal.NewSigner(bytes.Repeat([]byte{key}, 32))
	require.NoError(t, err)
	return signer
}

// serveOperations serves operations that all have one handler.
func serveOperations(t *testing.T, callers *principal.Signer, fn func(*gin.Context) (any, error), operations ...operation.Operation) *site {
	t.Helper()
	handlers := web.Handlers{}
	for _, op := range operations {
		handlers[op.Name] = web.Handle(fn)
	}
	return serve(t, func(e *gin.Engine) {
		require.NoError(t, web.RegisterOperations(e, callers, operations, handlers))
	})
}

// whoami answers with the seller of the caller.
func whoami(c *gin.Context) (any, error) { return web.Caller(c).SellerID, nil }

// row is an operation of a test.
func row(method, path string) operation.Operation {
	return operation.Operation{
		Name: method, Method: method, Path: path, Scope: principal.OrdersRead, MaxBodyBytes: operation.BodyBytes, Timeout: time.Minute,
	}
}

// Only the gateway may call, and only with what it signed for this very request.
func TestRegisterOperations_authenticates(t *testing.T) {
	t.Parallel()
	signer, stranger := newSigner(t, 1), newSigner(t, 2)
	s := serveOperations(t, signer, whoami, row("GET", "/orders/:order_no"), row("POST", "/orders/:order_no"))
	path := "/orders/a%2Fb"
	good := signer.Sign("GET", path, seller, time.Now())
	a := s.get(path+"?limit=1", principal.Header, good)
	require.Equal(t, 200, a.Status, a.Body)
	require.JSONEq(t, `"`+seller.SellerID.String()+`"`, string(a.Data))

	requireFailure(t, s.get(path), 401, "")
	requireFailure(t, s.get(path, principal.Header, ""), 401, "")
	requireFailure(t, s.get(path, principal.Header, good, principal.Header, good), 401, "")
	requireFailure(t, s.get("/orders/c", principal.Header, good), 401, "")
	requireFailure(t, s.post(path, "", principal.Header, good), 401, "")
	requireFailure(t, s.get(path, principal.Header, stranger.Sign("GET", path, seller, time.Now())), 401, "")
	requireFailure(t, s.get(path, principal.Header, signer.Sign("GET", path, seller, time.Now().Add(-time.Hour))), 401, "")
	lines := s.reported()
	require.Equal(t, seller.SellerID.String(), lines[0]["seller_id"])
	require.Equal(t, principal.ErrMissing.Error(), lines[1]["error"])
	require.Equal(t, principal.ErrExpired.Error(), lines[7]["error"])
}

// A service checks the scope of every operation itself: what the gateway forwards by mistake is no way around scopes.
func TestRegisterOperations_checksEveryScope(t *testing.T) {
	t.Parallel()
	signer := newSigner(t, 1)
	s := serveOperations(t, signer, whoami, operation.All()...)
	for _, op := range operation.All() {
		path := strings.NewReplacer(":order_no", "1", ":claim_no", "1", ":qna_id", "1").Replace(op.Path)
		for _, scope := range principal.All() {
			caller := principal.Principal{SellerID: seller.SellerID, KeyID: "k", KeyPrefix: "vpk_test_abc", Scopes: []principal.Scope{scope}}
			signed := signer.Sign(op.Method, path, caller, time.Now())
			var a answer
			if op.Method == http.MethodGet {
				a = s.get(path, principal.Header, signed)
			} else {
				a = s.post(path, "", principal.Header, signed)
			}
			if scope == op.Scope {
				require.Equal(t, 200, a.Status, op.Name)
				continue
			}
			requireFailure(t, a, 403, "SCOPE_FORBIDDEN")
			require.Equal(t, string(op.Scope), a.Meta.ErrorData["required_scope"], op.Name)
		}
	}
}

// The largest body stands in the operation's row and nowhere else.
func TestRegisterOperations_boundsTheBody(t *testing.T) {
	t.Parallel()
	signer := newSigner(t, 1)
	large := row("POST", "/large")
	large.MaxBodyBytes = 2 << 20
	s := serveOperations(t, signer, func(c *gin.Context) (any, error) { return nil, web.ReadBody(c).Err() }, large)
	signed := signer.Sign("POST", "/large", seller, time.Now())
	require.Equal(t, 200, s.post("/large", "{}"+strings.Repeat(" ", 2<<20-2), principal.Header, signed).Status)
	requireFailure(t, s.post("/large", "{}"+strings.Repeat(" ", 2<<20-1), principal.Header, signed), 413, "")
}

// A handler works no longer than the row of its operation says.
func TestRegisterOperations_boundsTheTime(t *testing.T) {
	t.Parallel()
	signer := newSigner(t, 1)
	slow := row("GET", "/slow")
	slow.Timeout = 10 * time.Millisecond
	s := serveOperations(t, signer, func(c *gin.Context) (any, error) {
		<-c.Request.Context().Done()
		return nil, c.Request.Context().Err()
	}, slow)
	requireFailure(t, s.get("/slow", principal.Header, signer.Sign("GET", "/slow", seller, time.Now())), 504, "")
}

// A service that forgets an operation, or names one that it does not own, does not start.
func TestRegisterOperations_mustMatch(t *testing.T) {
	t.Parallel()
	engine := web.NewEngine(web.Options{Service: "test", Telemetry: telemetry.Discard(t)})
	one := []operation.Operation{row("GET", "/one")}
	require.ErrorContains(t, web.RegisterOperations(engine, newSigner(t, 1), one, nil), "operation GET has no handler")
	handlers := web.Handlers{"GET": web.Handle(whoami), "other": web.Handle(whoami)}
	require.ErrorContains(t, web.RegisterOperations(engine, newSigner(t, 1), one, handlers), "handler other belongs to no operation")
	require.Empty(t, engine.Routes(), "nothing is registered then")
}
