package rest

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/proto/clients/postman"
	"sellerapi.dev/proto/openapi"
	"sellerapi.dev/proto/openapi/docs"
)

// Every route is described in the contract, and everything described can be called. Only the documentation pages are additional.
func TestRoutes_areContractAndDocs(t *testing.T) {
	t.Parallel()
	operations, err := openapi.Operations()
	require.NoError(t, err)
	want := make([]string, 0, len(operations))
	for _, described := range operations {
		want = append(want, described.Route())
	}
	for _, path := range append(docs.New("", nil).Paths(), "/docs", "/docs/:page", "/docs/:page/:part", "/docs/:page/:part/:code",
		"/docs/"+postman.Name) {
		want = append(want, "GET "+path)
	}
	routes := newEngine(Options{Telemetry: telemetrytest.Discard(t), Requests: &Requests{}}).Routes()
	got := make([]string, 0, len(routes))
	for _, route := range routes {
		got = append(got, route.Method+" "+route.Path)
	}
	require.ElementsMatch(t, want, got)
}

// Without the request log the path of its list is as unknown as any other.
func TestRoutes_withoutRequestLog(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	newEngine(Options{Telemetry: telemetrytest.Discard(t)}).ServeHTTP(w,
		httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/open/v1/requests", nil))
	require.Equal(t, http.StatusNotFound, w.Code)
	require.NotContains(t, w.Body.String(), "Did you mean")
}

// The names, paths and scopes of operations are those of the contract.
func TestContract_isTheOperationTable(t *testing.T) {
	t.Parallel()
	described, err := openapi.Operations()
	require.NoError(t, err)
	var want []string
	for _, one := range described {
		if one.Tag != "Description" { // the contract itself needs no key and is not in the table
			want = append(want, one.ID+" "+one.Route()+" "+one.Scope)
		}
	}
	got := make([]string, 0, len(want))
	for _, op := range operation.All() {
		got = append(got, op.Name+" "+op.Method+" "+op.Path+" "+string(op.Scope))
	}
	require.ElementsMatch(t, want, got)
}

// Downloaded files contain the address of the system from which they come, where it is certain.
func TestRequests_downloadedWithAddress(t *testing.T) {
	t.Parallel()
	engine := newEngine(Options{Telemetry: telemetrytest.Discard(t)})
	for address, secure := range map[string]*tls.ConnectionState{"https://api.example.com": {}, "https://seller-api.example": nil} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://api.example.com/docs/"+postman.Name, nil)
		r.TLS = secure
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code)
		require.Equal(t, `attachment; filename="`+postman.Name+`"`, w.Header().Get("Content-Disposition"))
		require.Equal(t, "application/json", w.Header().Get("Content-Type"))
		require.Contains(t, w.Body.String(), `"value": "`+address+`"`)
	}
}
