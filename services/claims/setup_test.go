package claims_test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/principal/principaltest"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/trust/trusttest"
	"sellerapi.dev/pkg/web"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	"sellerapi.dev/services/claims"
	"sellerapi.dev/services/orders/orderstest"
)

func newKeys(t *testing.T) secret.Keys {
	t.Helper()
	key := make([]byte, secret.MinKeyBytes)
	_, _ = rand.Read(key)
	keys, err := secret.NewKeys(key)
	require.NoError(t, err)
	return keys
}

// noOrders is the address of the orders service in tests that do not call it.
const noOrders = "http://127.0.0.1:1"

// config returns the settings of an instance with its own database, so that no other test's instance
// does its work. orders is the address of the orders service.
func config(t *testing.T, orders string) claims.Config {
	t.Helper()
	const free = "127.0.0.1:0"
	settings := claims.Config{BackendConfig: service.BackendConfig{ShellConfig: service.ShellConfig{
		Service:     service.Config{Listen: service.Listen{Public: free, RPC: free, Ops: free}, ShutdownTimeout: 5 * time.Second},
		Postgres:    pgtest.Config(t),
		TrustedKeys: trusttest.Keys(),
	}, CursorKeys: newKeys(t), SigningConfig: service.SigningConfig{SigningKey: trusttest.Key(trust.Claims)}, Environment: "test"}}
	settings.Service.Telemetry.Logs = t.Output()
	settings.Postgres.URL = pgtest.Database(t)
	settings.Upstreams = service.Upstreams{operation.Orders: orders}
	settings.Orders.Timeout = 5 * time.Second
	settings.SweepInterval = 100 * time.Millisecond
	require.NoError(t, claims.Schema.Migrate(t.Context(), settings.Postgres))
	require.NoError(t, claims.Schema.Migrate(t.Context(), settings.Postgres), "migrating again changes nothing")
	return settings
}

func start(t *testing.T, config claims.Config) service.Addresses {
	t.Helper()
	ready, ended := make(chan service.Addresses, 1), make(chan error, 1)
	config.OnReady = func(a service.Addresses) { ready <- a }
	ctx, stop := context.WithCancel(t.Context())
	go func() { ended <- claims.Run(ctx, config) }()
	select {
	case addresses := <-ready:
		t.Cleanup(func() { stop(); require.NoError(t, <-ended) })
		return addresses
	case err := <-ended:
		stop()
		require.NoError(t, err)
		return nil
	}
}

func call(t *testing.T, settings claims.Config, seller uuid.UUID, method, url string) (int, web.Envelope) {
	t.Helper()
	return send(t, settings, seller, method, url, "")
}

func send(t *testing.T, settings claims.Config, seller uuid.UUID, method, url, body string) (int, web.Envelope) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	if method == http.MethodPost {
		var digest inbox.Digest
		_, _ = rand.Read(digest[:])
		request.Header.Set(inbox.Header, inbox.FormatHeader(digest, inbox.Fingerprint{}))
	}
	if seller != uuid.Nil {
		principaltest.Sign(t, trust.Claims, request, principal.Principal{SellerID: seller, KeyID: "key-1", Scopes: principal.All()})
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil { // the instance was killed
		return 0, web.Envelope{}
	}
	defer func() { _ = response.Body.Close() }()
	var envelope web.Envelope
	_ = json.NewDecoder(response.Body).Decode(&envelope)
	return response.StatusCode, envelope
}

type market struct {
	settings  claims.Config
	addresses service.Addresses
	intake    claimsv1connect.IntakeClient
	seller    uuid.UUID
}

func newMarket(t *testing.T, settings claims.Config, addresses service.Addresses) *market {
	t.Helper()
	client := rpctest.Client(t, rpc.CallerMarketplace, "claims", settings.RPC)
	m := &market{settings: settings, seller: uuid.New()}
	m.at(addresses, client)
	return m
}

func (m *market) at(addresses service.Addresses, client *rpc.Client) {
	m.addresses = addresses
	m.intake = claimsv1connect.NewIntakeClient(client.HTTP, "http://"+addresses["rpc"], client.Options)
}

// request opens a claim on two of three pieces of an order and returns the number of both.
func (m *market) request(t *testing.T, orders *orderstest.Orders, kind string) string {
	t.Helper()
	message := m.message(orders, kind)
	_, err := m.intake.RequestClaim(t.Context(), message)
	require.NoError(t, err)
	return message.GetClaimNo()
}

func (m *market) message(orders *orderstest.Orders, kind string) *claimsv1.RequestClaimRequest {
	status := map[bool]string{true: "paid", false: "delivered"}[kind == "cancel"]
	no := "N-" + strings.ToUpper(hex.EncodeToString(m.seller[:4])) + "-" + rand.Text()[:8]
	message := &claimsv1.RequestClaimRequest{
		ClaimNo: no, OrderNo: no, SellerId: m.seller.String(), Type: kind, ReasonCode: "defective",
		Items: []*claimsv1.ClaimItem{{ItemId: orders.Place(m.seller, no, status, 3)[0].String(), Quantity: 2}},
	}
	if kind == "exchange" {
		message.Items[0].ExchangeOptionName = "L"
	}
	return message
}

func (m *market) act(t *testing.T, no, action, body string) string {
	t.Helper()
	status, envelope := send(t, m.settings, m.seller, http.MethodPost, m.claim(no)+"/"+action, body)
	return outcomeOf(status, envelope)
}

func (m *market) claim(no string) string {
	return "http://" + m.addresses["public"] + "/open/v1/claims/" + no
}

func (m *market) status(t *testing.T, no string) string {
	t.Helper()
	return outcomeOf(call(t, m.settings, m.seller, http.MethodGet, m.claim(no)))
}

// outcomeOf returns the state in a response, or its error code; empty for any other failure.
func outcomeOf(status int, envelope web.Envelope) string {
	var data struct {
		Status string `json:"status"`
	}
	switch {
	case status == http.StatusOK && json.Unmarshal(envelope.Data, &data) == nil:
		return data.Status
	case envelope.Meta.ErrorCode != nil:
		return *envelope.Meta.ErrorCode
	default:
		return ""
	}
}

func (m *market) await(t *testing.T, no, want string) {
	t.Helper()
	require.Eventually(t, func() bool { return m.status(t, no) == want }, 60*time.Second, 20*time.Millisecond, want)
}

func (m *market) metrics(t *testing.T) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+m.addresses["ops"]+"/metrics", nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	page, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(page)
}
