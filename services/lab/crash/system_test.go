package crash

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/principal/principaltest"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/service/servicetest"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/claims"
	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/gateway"
	"sellerapi.dev/services/orders"
	"sellerapi.dev/services/qna"
)

// timeout bounds every wait on a busy machine; an interrupted refund is asked for again after about twelve seconds.
const timeout = 3 * time.Minute

// recovery is the time after a fault within which the steps that it left pending are done, with the default settings.
const recovery = 20 * time.Second

const tick = 100 * time.Millisecond

const (
	ordersService = "orders"
	claimsService = "claims"
)

// key signs cursors and the calls of the provider.
var key = []byte(strings.Repeat("k", secret.MinKeyBytes))

// system is the marketplace of one test: the services as processes, a database, a provider, and the proxy that all calls pass.
type system struct {
	t         *testing.T
	db        *pgxpool.Pool
	processes map[string]*servicetest.Process
	proxy     *proxy
	payments  *stacktest.Payments
	// base is the address of the proxy, which all calls are sent to.
	base   string
	http   *http.Client
	signer *principal.Signer
	token  string
	intake ordersv1connect.IntakeClient
}

// migrated returns a function that creates databases with the tables of the services: copies of one template, or, where a
// database spans several nodes, each migrated by itself.
func migrated(t *testing.T) func(*testing.T) secret.Text {
	t.Helper()
	if distributedtest.Requested() {
		return func(t *testing.T) secret.Text {
			t.Helper()
			return migrate(t, distributedtest.Database(t))
		}
	}
	template := migrate(t, pgtest.Database(t))
	return func(t *testing.T) secret.Text {
		t.Helper()
		return pgtest.Copy(t, template)
	}
}

// migrate creates the tables of the services in a database, and distributes them if it spans several nodes.
func migrate(t *testing.T, database secret.Text) secret.Text {
	t.Helper()
	config := postgres.Config{URL: database}
	for _, schema := range []service.Schema{orders.Schema, claims.Schema, qna.Schema, gateway.Schema} {
		require.NoError(t, schema.Migrate(t.Context(), config))
	}
	if distributedtest.Requested() {
		for _, service := range []string{ordersService, claimsService, qnaService, gatewayService} {
			distributedtest.Distribute(t, config, service)
		}
	}
	return database
}

// newSystem starts everything on a migrated database. settings are additional ones of the claims service.
func newSystem(t *testing.T, database secret.Text, settings ...string) *system {
	t.Helper()
	keys, err := secret.NewKeys(key)
	require.NoError(t, err)
	s := &system{
		t: t, payments: stacktest.NewPayments(keys),
		http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
	}
	t.Cleanup(s.http.CloseIdleConnections)
	s.proxy = &proxy{over: t.Context().Done(), breakpoints: map[string]*breakpoint{}, seen: map[string][]string{}}
	s.db, err = pgxpool.New(t.Context(), database.Reveal())
	require.NoError(t, err)
	t.Cleanup(s.db.Close)
	server := httptest.NewServer(s.routes())
	t.Cleanup(server.Close)
	s.base = server.URL
	s.token, s.signer = marketplaceToken(t), principaltest.Signer(t)
	s.intake = stack.Intake(s.base, s.token)
	s.processes = map[string]*servicetest.Process{
		ordersService: s.process(ordersService, database), claimsService: s.process(claimsService, database,
			slices.Concat(s.callSettings(), settings)...),
	}
	s.start(ordersService, claimsService)
	return s
}

func marketplaceToken(t *testing.T) string {
	t.Helper()
	token, err := rpc.NewToken(rpc.Identity{
		Party: trust.Issuer, Key: trusttest.Key(trust.Issuer), Caller: rpc.CallerMarketplace,
		Audience: rpc.Audience(rpc.CallerMarketplace),
	}, time.Hour)
	require.NoError(t, err)
	return token.Text
}

func (s *system) process(name string, database secret.Text, settings ...string) *servicetest.Process {
	s.t.Helper()
	folder, err := programs()
	require.NoError(s.t, err)
	if distributedtest.Requested() {
		settings = append(settings, "DATABASE_ROW_SECURITY=off")
	}
	database, err = stack.Restrict(s.t.Context(), database, name)
	require.NoError(s.t, err)
	return servicetest.New(s.t, func(service.Addresses) *exec.Cmd {
		const free = "127.0.0.1:0"
		keys := base64.StdEncoding.EncodeToString(key)
		command := exec.CommandContext(s.t.Context(), filepath.Join(folder, name), "serve")
		command.Env = append([]string{
			"LISTEN=" + service.Listen{Public: free, RPC: free, Ops: free}.String(),
			"TRUSTED_KEYS=" + trusttest.Keys().String(), "SIGNING_KEY=" + trusttest.Key(trust.Party(name)).Reveal(), "RPC_TIMEOUT=30s",
			"CURSOR_KEYS=" + keys,
			"DATABASE_URL=" + database.Reveal(), "DATABASE_MAX_CONNS=4", "DATABASE_STATEMENT_TIMEOUT=60s",
		}, settings...)
		return command
	})
}

// Calls that are held do not time out by themselves.
func (s *system) callSettings() []string {
	return []string{
		"UPSTREAMS=orders=" + s.base, "RPC_TIMEOUT=45s", "REFUND_PROVIDER_URL=" + s.base + "/refunds",
		"REFUND_PROVIDER_KEYS=" + base64.StdEncoding.EncodeToString(key), "REFUND_PROVIDER_TIMEOUT=30s",
	}
}

func (s *system) start(names ...string) {
	s.t.Helper()
	for _, name := range names {
		s.processes[name].Start()
	}
}

func (s *system) kill(names ...string) {
	s.t.Helper()
	for _, name := range names {
		s.processes[name].Kill()
	}
}

func one[T any](t *testing.T, s *system, sql string, arguments ...any) (value T) {
	t.Helper()
	require.NoError(t, s.db.QueryRow(t.Context(), sql, arguments...).Scan(&value))
	return value
}

// eventually polls until holds returns true. what describes the failure when that takes longer than timeout.
func eventually(t *testing.T, holds func() bool, what func() string) {
	t.Helper()
	within(t, timeout, holds, what)
}

func within(t *testing.T, limit time.Duration, holds func() bool, what func() string) {
	t.Helper()
	for late := time.After(limit); !holds(); {
		select {
		case <-late:
			require.FailNow(t, what())
		case <-time.After(tick):
		}
	}
}
