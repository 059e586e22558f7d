package rest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/principal/principaltest"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/services/gateway/internal/apikey"
)

type arrived struct {
	method, uri, path, body, principal, inbox string
}

func seeing(t *testing.T) (*fixture, <-chan arrived) {
	t.Helper()
	seen := make(chan arrived, 1)
	b := before(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen <- arrived{
			r.Method, r.RequestURI, r.URL.EscapedPath(), string(body), r.Header.Get(principal.Header),
			r.Header.Get(principal.InboxHeader),
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"data":"answered"}`)
	})
	return b, seen
}

func TestOperations_keyWithScopeReachesService(t *testing.T) {
	t.Parallel()
	b, seen := seeing(t)
	keys := map[principal.Scope]string{} // a key with only this scope
	for _, op := range operation.All() {
		if op.Service == operation.Gateway {
			continue // requests_test.go
		}
		if keys[op.Scope] == "" {
			_, keys[op.Scope] = b.key(t, op.Scope)
		}
		revokeAllBut(t, b, keys, op.Scope)
		path := concrete(op.Path)
		sent := call{method: op.Method, path: path + "?a=1", header: http.Header{"X-Api-Key": {keys[op.Scope]}}}
		if op.MaxBodyBytes > 0 {
			sent.body = `{"x":1}`
		}
		response := b.send(t, sent)
		require.Equal(t, http.StatusOK, response.status, op.Name)
		require.JSONEq(t, `{"data":"answered"}`, string(response.body))
		got := <-seen
		require.Equal(t, arrived{op.Method, path + "?a=1", path, sent.body, got.principal, got.inbox}, got)
		require.Equal(t, op.Class == operation.Process && !op.Unkeyed, got.inbox != "")
		caller, err := principaltest.Verifier(t, trust.Party(op.Service)).Verify(principal.Call{
			Method: got.method, Target: got.uri,
			Inbox: got.inbox,
		}, got.principal, time.Now())
		require.NoError(t, err)
		require.NoError(t, caller.CheckBody([]byte(got.body)))
		require.Equal(t, b.seller, caller.SellerID)
		require.Equal(t, []principal.Scope{op.Scope}, caller.Scopes)
		require.Equal(t, sent.header.Get("X-Api-Key")[:12], caller.KeyPrefix)
	}
}

// revokeAllBut keeps the seller below its number of active keys.
func revokeAllBut(t *testing.T, b *fixture, keys map[principal.Scope]string, keep principal.Scope) {
	t.Helper()
	list, err := b.keys.List(t.Context(), apikey.ViewRequest{SellerID: b.seller, Author: kim})
	require.NoError(t, err)
	for _, key := range list {
		if key.State == apikey.Active && key.Scopes[0] != keep {
			_, err := b.keys.Revoke(t.Context(), apikey.RevokeRequest{SellerID: b.seller, KeyID: key.ID, Author: kim})
			require.NoError(t, err)
			delete(keys, key.Scopes[0])
		}
	}
}

// Every operation needs a key and refuses other methods than its own.
func TestOperations_needKeyAndOwnMethod(t *testing.T) {
	t.Parallel()
	b, seen := seeing(t)
	for _, op := range operation.All() {
		path := concrete(op.Path)
		response := b.send(t, call{method: op.Method, path: path})
		refused(t, response, http.StatusUnauthorized, "API_KEY_REQUIRED")
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PURGE"} {
			if method == op.Method || path == "/open/v1/orders/batch/shipment" && method == "GET" {
				continue
			}
			response := b.send(t, call{method: method, path: path})
			refused(t, response, http.StatusMethodNotAllowed, "")
			require.Equal(t, op.Method, response.header.Get("Allow"), op.Name)
		}
		response = b.send(t, call{method: http.MethodHead, path: path})
		require.Equal(t, http.StatusMethodNotAllowed, response.status, op.Name)
	}
	require.Empty(t, seen)
}

func TestUnknownPath_404WithoutKey(t *testing.T) {
	t.Parallel()
	b := before(t, nil)
	for _, path := range []string{
		"/", "/open", "/open/v1", "/open/v1/", "/open/v1/orders/", "/open/v1/Orders", "/open/v2/orders", "//open/v1/orders",
		"/open/v1/orders/O-1/", "/open/v1/orders/O-1/cancel", "/open/v1/claims/C-1/approve/x", "/metrics", "/debug/pprof/",
	} {
		response := b.send(t, call{method: http.MethodGet, path: path})
		refused(t, response, http.StatusNotFound, "")
	}
}

// At the root, and behind a page with a slash at its end, a browser is redirected to the documentation pages; a program gets
// the same response as on any other path.
func TestBrowser_isLedToDocs(t *testing.T) {
	t.Parallel()
	b := before(t, nil)
	for path, page := range map[string]string{
		"/": "/docs", "/docs/": "/docs",
		"/docs/ko/": "/docs/ko", "/docs/en/errors/RATE_LIMITED/": "/docs/en/errors/RATE_LIMITED", "/docs/%0Ax/": "/docs/%0Ax",
	} {
		sent := call{method: http.MethodGet, path: path, header: http.Header{"Accept": {"text/html,application/xhtml+xml,*/*;q=0.8"}}}
		response := b.send(t, sent)
		require.Equal(t, http.StatusFound, response.status, path)
		require.Equal(t, page, response.header.Get("Location"), path)
		sent.header.Set("Accept", "*/*")
		refused(t, b.send(t, sent), http.StatusNotFound, "")
		sent.header.Set("Accept", "text/html")
		sent.method = http.MethodPost
		refused(t, b.send(t, sent), http.StatusNotFound, "")
	}
	refused(t, b.send(t, call{method: http.MethodGet, path: "/docs/nothing"}), http.StatusNotFound, "")
}

// Under the interface's own path a browser gets the envelope, as every client does: a program that sends a browser's Accept
// header must not follow a redirect to a page.
func TestBrowser_envelopeUnderTheInterface(t *testing.T) {
	t.Parallel()
	b := before(t, nil)
	html := http.Header{"Accept": {"text/html,application/xhtml+xml,*/*;q=0.8"}}
	for _, path := range []string{
		"/open", "/open/", "/open/v1", "/open/v1/", "/open/v1//", "/open/v1/docs", "/open/v1/docs/",
		"/open/v1/orders/",
	} {
		refused(t, b.send(t, call{method: http.MethodGet, path: path, header: html}), http.StatusNotFound, "")
	}
}

// A body is taken up to the limit of its operation, whether its length is announced or not, and refused with the limit above it.
func TestBodyLimit_perOperation(t *testing.T) {
	t.Parallel()
	b, seen := seeing(t)
	_, text := b.key(t)
	for _, op := range operation.All() {
		if op.MaxBodyBytes == 0 {
			continue
		}
		for _, chunked := range []bool{false, true} {
			sent := call{method: op.Method, path: concrete(op.Path), header: http.Header{"X-Api-Key": {text}}}
			sent.body = strings.Repeat("x", int(op.MaxBodyBytes))
			response := b.sendBody(t, sent, chunked)
			require.Equal(t, http.StatusOK, response.status, op.Name)
			require.Len(t, (<-seen).body, int(op.MaxBodyBytes))
			sent.body += "x"
			response = b.sendBody(t, sent, chunked)
			meta := refused(t, response, http.StatusRequestEntityTooLarge, "")
			require.InDelta(t, op.MaxBodyBytes, meta.ErrorData["max_bytes"], 0, "a client learns what is allowed")
		}
	}
	require.Empty(t, seen)
}

// The contract is public, so it is compressed once and not per caller, whatever encoding the caller accepts.
func TestContract_compressedOnce(t *testing.T) {
	t.Parallel()
	b := before(t, nil)
	for accept, want := range map[string]string{"gzip, zstd": "gzip", "zstd": "", "identity": ""} {
		for _, path := range []string{"/open/v1/openapi.json", "/open/v1/openapi.yaml"} {
			sent := call{method: http.MethodGet, path: path, header: http.Header{"Accept-Encoding": {accept}}}
			got := b.send(t, sent)
			require.Equal(t, want, got.header.Get("Content-Encoding"), "%s %s", path, accept)
			require.Equal(t, int64(len(got.body)), got.length, "%s %s: the length is known before it is sent", path, accept)
			require.Equal(t, "public, no-cache", got.header.Get("Cache-Control"))
			require.Equal(t, []string{"Accept-Encoding", "X-Forwarded-Proto"}, got.header["Vary"])
			require.Empty(t, got.header.Values("No-Gzip-Compression"))
			sent.header.Set("If-None-Match", got.header.Get("ETag"))
			again := b.send(t, sent)
			require.Equal(t, http.StatusNotModified, again.status, "%s %s", path, accept)
			require.Empty(t, again.body)
		}
	}
}
