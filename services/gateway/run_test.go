package gateway_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway"
	"sellerapi.dev/services/gateway/internal/apikey"
)

func keysOf(t *testing.T, letter string) secret.Keys {
	t.Helper()
	keys, err := secret.NewKeys(bytes.Repeat([]byte(letter), secret.MinKeyBytes))
	require.NoError(t, err)
	return keys
}

func config(t *testing.T) gateway.Config {
	t.Helper()
	keyset, err := apikey.NewKeyset()
	require.NoError(t, err)
	settings := gateway.Config{
		ShellConfig: service.ShellConfig{
			Service:     service.Config{Listen: service.Listen{Public: free, RPC: free, Ops: free}, ShutdownTimeout: 5 * time.Second},
			Postgres:    pgtest.Config(t),
			RPC:         rpc.Config{Timeout: 20 * time.Second},
			TrustedKeys: trusttest.Keys(),
		},
		SigningConfig: service.SigningConfig{SigningKey: trusttest.Key(trust.Gateway)},
		Keys: gateway.KeyConfig{
			Environment: "test", Pepper: keysOf(t, "p"), Keyset: keyset,
			PerSeller: gateway.KeysPerSeller{Active: 5, Daily: 10},
		},
	}
	settings.Postgres.URL = pgtest.Database(t)
	settings.Redis = redistest.New(t).Config
	return settings
}

func start(t *testing.T, settings gateway.Config) service.Addresses {
	t.Helper()
	addresses, stop := startUntil(t, settings)
	t.Cleanup(stop)
	return addresses
}

// startUntil runs the service until stop is called, which waits for its end.
func startUntil(t *testing.T, settings gateway.Config) (addresses service.Addresses, stop func()) {
	t.Helper()
	ready, ended := make(chan service.Addresses, 1), make(chan error, 1)
	settings.OnReady = func(a service.Addresses) { ready <- a }
	ctx, cancel := context.WithCancel(t.Context())
	go func() { ended <- gateway.Run(ctx, settings) }()
	select {
	case addresses = <-ready:
		return addresses, func() { cancel(); require.NoError(t, <-ended) }
	case err := <-ended:
		cancel()
		require.NoError(t, err)
		return nil, cancel
	}
}

func console(t *testing.T, settings gateway.Config, addresses service.Addresses) gatewayv1connect.KeysClient {
	t.Helper()
	client := rpctest.Client(t, rpc.CallerConsole, "gateway", settings.RPC)
	return gatewayv1connect.NewKeysClient(client.HTTP, "http://"+addresses["rpc"], client.Options)
}

func get(t *testing.T, address, key string) (int, []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	if key != "" {
		request.Header.Set("X-Api-Key", key)
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, body
}

// systemWithKey migrates and starts a gateway in front of an orders service, and returns a key that it has answered.
func systemWithKey(t *testing.T) (settings gateway.Config, text string) {
	t.Helper()
	orders := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{}`)
	}))
	t.Cleanup(orders.Close)
	settings = config(t)
	settings.Upstream.Upstreams, settings.Limits.Timeout = service.Upstreams{operation.Orders: orders.URL}, waitFor
	require.NoError(t, gateway.Schema.Migrate(t.Context(), settings.Postgres))
	addresses := start(t, settings)
	keys, seller := console(t, settings, addresses), uuid.NewString()
	_, err := keys.RegisterSeller(t.Context(), &gatewayv1.RegisterSellerRequest{SellerId: seller, Name: "S", Actor: "kim"})
	require.NoError(t, err)
	issued, err := keys.IssueKey(t.Context(), &gatewayv1.IssueKeyRequest{
		SellerId: seller, Scopes: []string{"orders:read"}, Actor: "kim", RequestId: uuid.NewString(),
	})
	require.NoError(t, err)
	text = issued.GetText()
	status, _ := get(t, "http://"+addresses["public"]+"/open/v1/orders", text)
	require.Equal(t, http.StatusOK, status, "from now on Redis has the state of the key")
	return settings, text
}

// lockKeys makes every read of keys wait until unlock is called.
func lockKeys(t *testing.T, settings gateway.Config) (unlock func()) {
	t.Helper()
	lock, err := pgx.Connect(t.Context(), settings.Postgres.URL.Reveal())
	require.NoError(t, err)
	t.Cleanup(func() { _ = lock.Close(context.WithoutCancel(t.Context())) })
	_, err = lock.Exec(t.Context(), "begin; lock table gateway.api_keys, gateway.key_hashes in access exclusive mode")
	require.NoError(t, err)
	return func() {
		_, err := lock.Exec(t.Context(), "rollback")
		require.NoError(t, err)
	}
}

// An instance that has become ready answers the first call of a known key without PostgreSQL.
func TestReadyz_onceKeysArePreloaded(t *testing.T) {
	t.Parallel()
	settings, text := systemWithKey(t)
	fresh := start(t, settings)
	require.Contains(t, becomes(t, "http://"+fresh["ops"]+"/readyz", "", http.StatusOK), `"keys_at_start","ok":true`)
	lockKeys(t, settings)
	status, _ := get(t, "http://"+fresh["public"]+"/open/v1/orders", text)
	require.Equal(t, http.StatusOK, status)
	_, metrics := get(t, "http://"+fresh["ops"]+"/metrics", "")
	require.Contains(t, string(metrics), `key_lookups_total{source="preload"} 1`)
	require.Contains(t, string(metrics), `key_preloads_total{outcome="done"} 1`)
}

// A database that is too slow for the list of keys keeps an instance from becoming ready for a few tries only. Then keys are
// looked up one by one.
func TestReadyz_keysTooSlowToPreload(t *testing.T) {
	t.Parallel()
	settings, text := systemWithKey(t)
	unlock := lockKeys(t, settings)
	fresh := start(t, settings)
	ready := "http://" + fresh["ops"] + "/readyz"
	status, report := get(t, ready, "")
	require.Equal(t, http.StatusServiceUnavailable, status, string(report))
	require.Contains(t, becomes(t, ready, "", http.StatusOK), `"keys_at_start","ok":true`)
	unlock()
	status, _ = get(t, "http://"+fresh["public"]+"/open/v1/orders", text)
	require.Equal(t, http.StatusOK, status)
	_, metrics := get(t, "http://"+fresh["ops"]+"/metrics", "")
	require.Contains(t, string(metrics), `key_lookups_total{source="call"} 1`)
	require.Contains(t, string(metrics), `key_preloads_total{outcome="given_up"} 1`)
}

func TestReadyz_onceSchemaExists(t *testing.T) {
	t.Parallel()
	settings := config(t)
	addresses := start(t, settings)
	ready := "http://" + addresses["ops"] + "/readyz"
	status, body := get(t, ready, "")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, string(body), "postgres_at_start")
	require.NoError(t, gateway.Schema.Migrate(t.Context(), settings.Postgres))
	require.NoError(t, gateway.Schema.Migrate(t.Context(), settings.Postgres), "migrating again changes nothing")
	require.Eventually(t, func() bool { status, _ := get(t, ready, ""); return status == http.StatusOK },
		time.Minute, 50*time.Millisecond)
}

// Invalid settings are reported all at once, and no value is ever quoted.
func TestRun_badSettingsReportedNotQuoted(t *testing.T) {
	t.Parallel()
	settings := config(t)
	settings.Keys = gateway.KeyConfig{Environment: "staging", Pepper: keysOf(t, "p"), Keyset: secret.New("canary")}
	settings.TrustedKeys, settings.SigningKey = trust.PublicKeys{}, trust.PrivateKey{}
	settings.Upstream.Upstreams = service.Upstreams{
		operation.Orders: "orders:8080", operation.Claims: "http://user:canary@claims:8080", operation.QnA: "http://qna:8080/canary",
	}
	err := gateway.Run(t.Context(), settings)
	for _, name := range []string{
		"ENVIRONMENT", "KEY_ENCRYPTION_KEYSET", "TRUSTED_KEYS", "SIGNING_KEY", "UPSTREAMS: orders",
		"UPSTREAMS: claims", "UPSTREAMS: qna",
	} {
		require.ErrorContains(t, err, name)
	}
	require.NotContains(t, err.Error(), "canary")
}

// A key set that lacks a party, or the gateway's own key, stops the start instead of failing every call.
func TestRun_keysThatDoNotFit(t *testing.T) {
	t.Parallel()
	settings := config(t)
	settings.TrustedKeys = trusttest.Parse(trusttest.Line(trust.Gateway, trusttest.Key(trust.Gateway)))
	require.ErrorContains(t, gateway.Run(t.Context(), settings), "TRUSTED_KEYS: no public key of issuer")
	settings.TrustedKeys = trusttest.Parse(trusttest.Line(trust.Gateway, trusttest.Key(trust.Gateway)),
		trusttest.Line(trust.Issuer, trusttest.Key(trust.Issuer)))
	require.ErrorContains(t, gateway.Run(t.Context(), settings), "TRUSTED_KEYS: no public key of orders")
	settings = config(t)
	settings.SigningKey = trusttest.Named("next")
	require.ErrorContains(t, gateway.Run(t.Context(), settings),
		"SIGNING_KEY: its public key is not among the trusted keys of gateway")
	settings.RPC.Revoked = []string{"x"}
	require.ErrorContains(t, gateway.Run(t.Context(), settings), "RPC_REVOKED_TOKENS: 1: not the id of a token")
}
