package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
	"sellerapi.dev/pkg/web"
)

func newVerifier(t *testing.T) *principal.Verifier {
	t.Helper()
	verifier, err := principal.NewVerifier(trust.Orders, trusttest.Key(trust.Orders), trusttest.Keys())
	require.NoError(t, err)
	return verifier
}

func newSigner(t *testing.T, party trust.Party) *principal.Signer {
	t.Helper()
	signer, err := principal.NewSigner(trusttest.Key(party), trusttest.Keys())
	require.NoError(t, err)
	return signer
}

func signed(t *testing.T, method, target, body string) string {
	t.Helper()
	call := principal.Call{Method: method, Target: target}
	return newSigner(t, trust.Gateway).Sign(trust.Orders, call, principal.DigestOf([]byte(body)), seller, time.Now())
}

func serveOperations(t *testing.T, fn func(*gin.Context) (any, error), operations ...operation.Operation) *site {
	t.Helper()
	handlers := web.Handlers{}
	for _, op := range operations {
		handlers[op.Name] = web.Handle(fn)
	}
	return serve(t, func(e *gin.Engine) {
		require.NoError(t, web.RegisterOperations(e, newVerifier(t), operations, handlers))
	})
}

func whoami(c *gin.Context) (any, error) { return web.Caller(c).SellerID, nil }

func row(method, path string) operation.Operation {
	return operation.Operation{
		Name: method, Method: method, Path: path, Scope: "orders:read", MaxBodyBytes: operation.BodyBytes, Timeout: time.Minute,
	}
}

// Only the gateway may call, and only with a header that it signed for this very request.
func TestRegisterOperations_authenticates(t *testing.T) {
	t.Parallel()
	signer, stranger := newSigner(t, trust.Gateway), newSigner(t, trust.Claims)
	s := serveOperations(t, whoami, row("GET", "/orders/:order_no"), row("POST", "/orders/:order_no"))
	path := "/orders/a%2Fb"
	target := path + "?limit=1"
	call := principal.Call{Method: "GET", Target: target}
	good := signed(t, "GET", target, "")
	a := s.get(target, principal.Header, good)
	require.Equal(t, 200, a.Status, a.Body)
	require.JSONEq(t, `"`+seller.SellerID.String()+`"`, string(a.Data))

	requireFailure(t, s.get(target), 401, "")
	requireFailure(t, s.get(target, principal.Header, ""), 401, "")
	requireFailure(t, s.get(target, principal.Header, good, principal.Header, good), 401, "")
	requireFailure(t, s.get("/orders/c?limit=1", principal.Header, good), 401, "")
	requireFailure(t, s.get(path+"?limit=2", principal.Header, good), 401, "")
	requireFailure(t, s.get(path, principal.Header, good), 401, "")
	requireFailure(t, s.get(target, principal.Header, good, principal.InboxHeader, "d f"), 401, "")
	requireFailure(t, s.post(target, "", principal.Header, good), 401, "")
	requireFailure(t, s.get(target, principal.Header, signer.Sign(trust.QnA, call, principal.BodyDigest{}, seller,
		time.Now())), 401, "")
	requireFailure(t, s.get(target, principal.Header, stranger.Sign(trust.Orders, call, principal.BodyDigest{}, seller,
		time.Now())), 401, "")
	requireFailure(t, s.get(target, principal.Header, signer.Sign(trust.Orders, call, principal.BodyDigest{}, seller,
		time.Now().Add(-time.Hour))), 401, "")
	lines := s.reported()
	require.Equal(t, seller.SellerID.String(), lines[0]["seller_id"])
	require.Equal(t, principal.ErrMissing.Error(), lines[1]["error"])
	require.Equal(t, principal.ErrExpired.Error(), lines[11]["error"])
}

// A service checks the scope of every operation itself: a request that the gateway forwards by mistake does not bypass scopes.
func TestRegisterOperations_checksEveryScope(t *testing.T) {
	t.Parallel()
	signer := newSigner(t, trust.Gateway)
	s := serveOperations(t, whoami, operation.All()...)
	for _, op := range operation.All() {
		path := strings.NewReplacer(":order_no", "1", ":claim_no", "1", ":qna_id", "1").Replace(op.Path)
		for _, scope := range principal.All() {
			caller := principal.Principal{
				SellerID: seller.SellerID, KeyID: "k", KeyPrefix: "vpk_test_abc",
				Scopes: []principal.Scope{scope},
			}
			signed := signer.Sign(trust.Orders, principal.Call{Method: op.Method, Target: path},
				principal.BodyDigest{}, caller, time.Now())
			var a answer
			if op.Method == http.MethodGet {
				a = s.get(path, principal.Header, signed)
			} else {
				a = s.post(path, "", principal.Header, signed)
			}
			if scope == op.Scope || op.Scope == "" {
				require.Equal(t, 200, a.Status, op.Name)
				continue
			}
			requireFailure(t, a, 403, "SCOPE_FORBIDDEN")
			require.Equal(t, string(op.Scope), a.Meta.ErrorData["required_scope"], op.Name)
		}
	}
}

// The largest body is defined in the operation's row and nowhere else.
func TestRegisterOperations_boundsTheBody(t *testing.T) {
	t.Parallel()
	large := row("POST", "/large")
	large.MaxBodyBytes = 2 << 20
	s := serveOperations(t, func(c *gin.Context) (any, error) { return nil, web.ReadBody(c).Err() }, large)
	for length, status := range map[int]int{2 << 20: 200, 2<<20 + 1: 413} {
		body := "{}" + strings.Repeat(" ", length-2)
		require.Equal(t, status, s.post("/large", body, principal.Header, signed(t, "POST", "/large", body)).Status)
	}
}

// A party between gateway and service must not be able to change a seller's request.
func TestRegisterOperations_otherBody(t *testing.T) {
	t.Parallel()
	s := serveOperations(t, func(c *gin.Context) (any, error) { return nil, web.ReadBody(c).Err() }, row("POST", "/orders"))
	const body = `{"a":1}`
	require.Equal(t, 200, s.post("/orders", body, principal.Header, signed(t, "POST", "/orders", body)).Status)
	for name, c := range map[string]struct{ signed, sent string }{
		"other": {body, `{"a":2}`}, "longer": {body, body + " "}, "removed": {body, ""}, "added": {"", body},
	} {
		a := s.post("/orders", c.sent, principal.Header, signed(t, "POST", "/orders", c.signed))
		require.Equal(t, 401, a.Status, name)
		requireFailure(t, a, 401, "")
	}
	for _, line := range s.reported()[1:] {
		require.Equal(t, principal.ErrBody.Error(), line["error"])
	}
}

// A handler runs no longer than the row of its operation allows.
func TestRegisterOperations_boundsTheTime(t *testing.T) {
	t.Parallel()
	slow := row("GET", "/slow")
	slow.Timeout = 10 * time.Millisecond
	s := serveOperations(t, func(c *gin.Context) (any, error) {
		<-c.Request.Context().Done()
		return nil, c.Request.Context().Err()
	}, slow)
	requireFailure(t, s.get("/slow", principal.Header, signed(t, "GET", "/slow", "")), 504, "")
}

// A service that omits an operation, or registers one that it does not own, does not start.
func TestRegisterOperations_mustMatch(t *testing.T) {
	t.Parallel()
	engine := web.NewEngine(web.Options{Service: "test", Telemetry: telemetrytest.Discard(t)})
	one := []operation.Operation{row("GET", "/one")}
	require.ErrorContains(t, web.RegisterOperations(engine, newVerifier(t), one, nil), "operation GET has no handler")
	handlers := web.Handlers{"GET": web.Handle(whoami), "other": web.Handle(whoami)}
	require.ErrorContains(t, web.RegisterOperations(engine, newVerifier(t), one, handlers), "handler other belongs to no operation")
	require.Empty(t, engine.Routes(), "no route is registered")
}
