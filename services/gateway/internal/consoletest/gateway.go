// Package consoletest serves RPC of the gateway to the tests of its handlers, as the partner console calls it.
package consoletest

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust/trusttest"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/keysrpc"
	"sellerapi.dev/services/gateway/internal/store"
)

// Gateway is what a handler works on, and how it is called: at URL, or by Console with the token of the partner console.
type Gateway struct {
	DB      *pgtest.DB
	Store   *store.Store
	Texts   *apikey.Texts
	Vault   *apikey.Vault
	URL     string
	Console *rpc.Client
}

// New serves a handler, as the generated functions return it, on a database of its own.
func New(tb testing.TB, handler func(g *Gateway, option connect.HandlerOption) (path string, handler http.Handler)) *Gateway {
	tb.Helper()
	peppers, err := secret.NewKeys(bytes.Repeat([]byte("r"), secret.MinKeyBytes))
	require.NoError(tb, err)
	keyset, err := apikey.NewKeyset()
	require.NoError(tb, err)
	g := &Gateway{DB: pgtest.New(tb, store.Migrations())}
	g.Store = store.New(g.DB.Pool)
	g.Texts, err = apikey.NewTexts(apikey.Live, peppers)
	require.NoError(tb, err)
	g.Vault, err = apikey.NewVault(keyset)
	require.NoError(tb, err)
	tel, config := telemetrytest.ForTest(tb), rpc.Config{Timeout: 20 * time.Second}
	mux, err := rpc.NewMux("gateway", trusttest.Keys(), config, tel)
	require.NoError(tb, err)
	mux.Handle(handler(g, mux.Options(keysrpc.NewRecorder(g.Store.RecordRefusal, tel.Logger))))
	server := httptest.NewServer(mux)
	tb.Cleanup(server.Close)
	g.URL, g.Console = server.URL, rpctest.Client(tb, rpc.CallerConsole, "gateway", config)
	return g
}

// Trail returns the entries of the audit trail, whose chain is intact.
func (g *Gateway) Trail(tb testing.TB) (entries []audit.Entry) {
	tb.Helper()
	var chain audit.Chain
	for entry, err := range g.Store.Trail(tb.Context(), 0) {
		require.NoError(tb, err)
		require.NoError(tb, chain.Add(entry))
		entries = append(entries, entry)
	}
	return entries
}
