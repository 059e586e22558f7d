package orders_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
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
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/services/orders"
)

func keys(t *testing.T) secret.Keys {
	t.Helper()
	key := make([]byte, secret.MinKeyBytes)
	_, _ = rand.Read(key)
	made, err := secret.NewKeys(key)
	require.NoError(t, err)
	return made
}

// config returns the settings of an instance with its own database, so that no other test's instance does its work.
func config(t *testing.T) orders.Config {
	t.Helper()
	const free = "127.0.0.1:0"
	settings := orders.Config{BackendConfig: service.BackendConfig{ShellConfig: service.ShellConfig{
		Service:  service.Config{Listen: service.Listen{Public: free, RPC: free, Ops: free}, ShutdownTimeout: 5 * time.Second},
		Postgres: pgtest.Config(t), TrustedKeys: trusttest.Keys(),
	}, CursorKeys: keys(t), SigningConfig: service.SigningConfig{SigningKey: trusttest.Key(trust.Orders)}}}
	settings.Postgres.URL = pgtest.Database(t)
	return settings
}

func start(t *testing.T, config orders.Config) service.Addresses {
	t.Helper()
	ready, ended := make(chan service.Addresses, 1), make(chan error, 1)
	config.OnReady = func(a service.Addresses) { ready <- a }
	ctx, stop := context.WithCancel(t.Context())
	go func() { ended <- orders.Run(ctx, config) }()
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

func get(t *testing.T, url string, header http.Header) (status int, answered http.Header, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	request.Header = header
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { require.NoError(t, response.Body.Close()) }()
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, response.Header, string(content)
}

// From the marketplace's call to the seller's response, over real ports.
func TestRun_placedOrderReadBySeller(t *testing.T) {
	t.Parallel()
	settings := config(t)
	require.NoError(t, orders.Schema.Migrate(t.Context(), settings.Postgres))
	require.NoError(t, orders.Schema.Migrate(t.Context(), settings.Postgres), "migrating again changes nothing")
	addresses := start(t, settings)

	require.Eventually(t, func() bool {
		status, _, _ := get(t, "http://"+addresses["ops"]+"/readyz", nil)
		return status == http.StatusOK // a probe whose database query takes longer than a second is 503, as on a loaded machine
	}, time.Minute, 50*time.Millisecond)

	client := rpctest.Client(t, rpc.CallerMarketplace, "orders", settings.RPC)
	intake := ordersv1connect.NewIntakeClient(client.HTTP, "http://"+addresses["rpc"], client.Options)
	seller, number := uuid.New(), strings.ToUpper(uuid.NewString())
	_, err := intake.PlaceOrders(t.Context(), &ordersv1.PlaceOrdersRequest{Orders: []*ordersv1.Order{{
		OrderNo: number, MemberId: "m", Currency: "KRW", PaidAt: timestamppb.New(time.Now().Add(-time.Minute)),
		Sellers: []*ordersv1.SellerPart{{
			SellerId: seller.String(),
			Lines:    []*ordersv1.Line{{ProductName: "양말", Quantity: 1, UnitPrice: 1}},
		}},
	}}})
	require.NoError(t, err)

	path := "/open/v1/orders/" + number
	who := principal.Principal{SellerID: seller, KeyID: "k", KeyPrefix: "vpk_test_abc", Scopes: []principal.Scope{"orders:read"}}
	call := principal.Call{Method: http.MethodGet, Target: path}
	header := http.Header{principal.Header: {principaltest.Signer(t).Sign(trust.Orders, call,
		principal.BodyDigest{}, who, time.Now())}}
	status, answered, body := get(t, "http://"+addresses["public"]+path, header)
	require.Equal(t, http.StatusOK, status, body)
	require.Equal(t, "no-store", answered.Get("Cache-Control"))
	require.Contains(t, body, `"order_no":"`+number+`"`)

	status, _, body = get(t, "http://"+addresses["public"]+path, nil)
	require.Equal(t, http.StatusUnauthorized, status)
	var envelope web.Envelope
	require.NoError(t, json.Unmarshal([]byte(body), &envelope))
	require.Nil(t, envelope.Meta.ErrorCode)
}

func TestRun_missingSecrets(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(*orders.Config){
		"TRUSTED_KEYS": func(c *orders.Config) { c.TrustedKeys = trust.PublicKeys{} },
		"CURSOR_KEYS":  func(c *orders.Config) { c.CursorKeys = secret.Keys{} },
		"SIGNING_KEY":  func(c *orders.Config) { c.SigningKey = trust.PrivateKey{} },
	} {
		settings := config(t)
		remove(&settings)
		require.ErrorContains(t, orders.Run(t.Context(), settings), name)
	}
}

// withSandbox are the keys that a test environment trusts.
func withSandbox() trust.PublicKeys {
	return trusttest.Parse(trusttest.Keys().String(), trusttest.Line(trust.Sandbox, trusttest.Key(trust.Sandbox)))
}

// A live instance must never work with the moved clocks of a test environment: it is not ready with such a database, and has no
// way to move one. A test instance moves them.
func TestRun_movedClocks(t *testing.T) {
	t.Parallel()
	for environment, wanted := range map[string]int{
		service.Live: http.StatusServiceUnavailable, service.Test: http.StatusOK,
	} {
		t.Run(environment, func(t *testing.T) {
			t.Parallel()
			settings := config(t)
			if settings.Environment = environment; environment == service.Test {
				settings.TrustedKeys = withSandbox()
			}
			migration := service.MigrateConfig{Config: settings.Postgres, Environment: service.Test}
			require.NoError(t, orders.Schema.MigrateFor(t.Context(), migration))
			addresses := start(t, settings)
			status, _, _ := get(t, "http://"+addresses["ops"]+"/readyz", nil)
			require.Equal(t, wanted, status)
			caller := rpctest.Client(t, rpc.CallerSandbox, "orders", settings.RPC)
			clock := ordersv1connect.NewClockClient(caller.HTTP, "http://"+addresses["rpc"], caller.Options)
			moved, err := clock.Advance(t.Context(), &ordersv1.AdvanceRequest{SellerId: uuid.NewString(), By: durationpb.New(time.Hour)})
			if environment == service.Live {
				require.Error(t, err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, time.Hour, moved.GetOffset().AsDuration())
			require.WithinDuration(t, time.Now().Add(time.Hour), moved.GetNow().AsTime(), 10*time.Minute)
			_, err = clock.Advance(t.Context(), &ordersv1.AdvanceRequest{SellerId: "seller", By: durationpb.New(-time.Hour)})
			require.ErrorIs(t, err, apierr.ValidationError)
		})
	}
}

// An instance of a test environment whose database was migrated for a live one serves, and says why it cannot move a clock.
func TestRun_fixedClocks(t *testing.T) {
	t.Parallel()
	settings := config(t)
	settings.Environment, settings.TrustedKeys = service.Test, withSandbox()
	require.NoError(t, orders.Schema.Migrate(t.Context(), settings.Postgres))
	addresses := start(t, settings)
	caller := rpctest.Client(t, rpc.CallerSandbox, "orders", settings.RPC)
	clock := ordersv1connect.NewClockClient(caller.HTTP, "http://"+addresses["rpc"], caller.Options)
	_, err := clock.Advance(t.Context(), &ordersv1.AdvanceRequest{SellerId: uuid.NewString(), By: durationpb.New(time.Hour)})
	require.ErrorContains(t, err, "ENVIRONMENT=test")
}
