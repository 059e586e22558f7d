// Package stacktest provides end-to-end tests with the whole system: the four services on a private PostgreSQL and Redis,
// started once per test binary and ended with it, and the means to use it: sellers that only one test uses, a client of the
// public interface that checks every answer, the marketplace's RPC clients, and the database.
package stacktest

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
	"sellerapi.dev/pkg/postgres/distributed/nodes"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/proto/conformance/oracle"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
	"sellerapi.dev/services/allinone/envfile"
	"sellerapi.dev/services/allinone/stack"
)

// startTimeout bounds the start of everything on a machine that is busy with other tests.
const startTimeout = 2 * time.Minute

// Stack is the running system and the clients with which a test uses it.
type Stack struct {
	// GatewayURL is the base URL of the public interface.
	GatewayURL string
	// MetricsURLs are the URLs of the metrics pages by service.
	MetricsURLs map[string]string
	// Intake places orders, Claims requests claims, Inquiries posts inquiries, Keys issues keys; all of them act as the
	// marketplace.
	Intake    ordersv1connect.IntakeClient
	Claims    claimsv1connect.IntakeClient
	Inquiries qnav1connect.IntakeClient
	Keys      gatewayv1connect.KeysClient
	Webhooks  gatewayv1connect.WebhooksClient
	Requests  gatewayv1connect.RequestsClient
	// Payments is the payment provider from which the claims service requests refunds.
	Payments *Payments
	// Spans collects the spans that the system records. There are none unless a test's own system has a sampling ratio.
	Spans *telemetrytest.Collector

	running     *stack.Stack
	token       string
	databaseURL string
	redisURL    string
	http        *http.Client
	logs        *telemetrytest.Lines
	// nodes is the distributed database that was started for this test binary, or nil.
	nodes *nodes.Cluster

	// Lines is the RPC through which the claims service uses order lines.
	Lines ordersv1connect.ClaimLinesClient
}

// shared returns the system of this test binary, which it starts on the first call.
var shared = sync.OnceValues(start)

// Use returns the running system. The test fails when a server is missing.
func Use(t *testing.T) *Stack {
	t.Helper()
	s, err := shared()
	require.NoError(t, err, "end-to-end tests need PostgreSQL and Redis")
	return s
}

func start() (*Stack, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	var cluster *nodes.Cluster
	database, err := given("TEST_DATABASE_URL", func() (_ *launch.Server, err error) {
		if !distributedtest.Requested() {
			return launch.PooledPostgres(ctx)
		}
		if cluster, err = nodes.Pooled(ctx, workers); err != nil {
			return nil, err
		}
		return cluster.Coordinator, nil
	})
	if err != nil {
		return nil, err
	}
	redis, err := given("TEST_REDIS_URL", func() (*launch.Server, error) { return launch.PooledRedis(ctx) })
	if err != nil {
		return nil, err
	}
	s, _, err := startOn(ctx, database, redis, func(*stack.Config) {})
	if err != nil {
		return nil, err
	}
	s.nodes = cluster
	return s, nil
}

const workers = 2

func startOn(ctx context.Context, database, redis string, change func(*stack.Config)) (*Stack, *stack.Stack, error) {
	secrets, err := stack.NewSecrets()
	if err != nil {
		return nil, nil, err
	}
	payments, err := openPayments(ctx)
	if err != nil {
		return nil, nil, err
	}
	spans, err := telemetrytest.Start(context.WithoutCancel(ctx)) // it runs until this process ends
	if err != nil {
		return nil, nil, err
	}
	lines := &telemetrytest.Lines{}
	config := stack.Config{
		DatabaseURL: secret.New(database), Distributed: distributedtest.Requested(),
		RedisURL: secret.New(redis), Secrets: secrets, Timeout: timeout,
		Limits: stack.Limits{Timeout: timeout}, SweepInterval: sweepInterval,
		Telemetry: telemetry.Config{Logs: lines, Endpoint: spans.Address()},
		Claims: stack.Claims{
			RefundURL: payments.url, RefundKeys: payments.keys, Timeout: claimTimeout,
		},
	}
	change(&config)
	dial, err := config.TLS.Dialer(&net.Dialer{}, slog.New(slog.NewTextHandler(lines, nil)))
	if err != nil {
		return nil, nil, err
	}
	running, err := stack.Start(ctx, config)
	if err != nil {
		return nil, nil, err
	}
	checker, err := contract()
	if err != nil {
		return nil, nil, err
	}
	token := running.Token(time.Hour)
	return &Stack{
		running: running, token: token,
		Lines:      stack.ClaimLines(running.RPCURLs[operation.Orders], running.TokenFor(rpc.CallerClaims, time.Hour), dial),
		GatewayURL: running.GatewayURL, MetricsURLs: running.MetricsURLs,
		Intake: stack.Intake(running.RPCURLs[operation.Orders], token, dial), Keys: stack.Keys(running.KeysURL, token, dial),
		Webhooks: stack.Webhooks(running.KeysURL, token, dial), Requests: stack.Requests(running.KeysURL, token, dial),
		Claims: stack.ClaimIntake(running.RPCURLs[operation.Claims], token, dial), Payments: payments, Spans: spans,
		Inquiries:   stack.Inquiries(running.RPCURLs[operation.QnA], token, dial),
		databaseURL: database, redisURL: redis, http: newHTTPClient(checker, dial), logs: lines,
	}, running, nil
}

// timeout bounds a call, a statement and a Redis command: all packages are tested at once, on machines with few processors.
const timeout = 20 * time.Second

// sweepInterval is the time between two sweeps for records that have come due. It is short so that tests of such records do
// not wait long.
const sweepInterval = 500 * time.Millisecond

// claimTimeout is how long an action on a claim waits for the calls that it makes; the gateway waits a little longer.
const claimTimeout = 10 * time.Second

// given returns the URL of the server that the environment variable names, or of a private one that launched starts.
func given(variable string, launched func() (*launch.Server, error)) (string, error) {
	if address := os.Getenv(variable); address != "" {
		return address, nil
	}
	server, err := launched()
	if err != nil {
		return "", err
	}
	return server.URL, nil // it runs until this process ends
}

// newHTTPClient returns a client that follows no redirect and requests no compression, so that tests see the actual
// responses. All exchanges are checked against the contract. dial, unless nil, trusts the certificate authority of services
// with TLS.
func newHTTPClient(checker *oracle.Oracle, dial certificate.Dial) *http.Client {
	return &http.Client{
		Timeout:       time.Minute,
		Transport:     &witness{contract: checker, next: newTransport(dial)},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func newTransport(dial certificate.Dial) *http.Transport {
	return &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64, DialTLSContext: dial}
}

// Env returns the values of stack.env with which programs reach the system, as `make up` writes them, with two sellers to act as.
func (s *Stack) Env(a, b Seller) envfile.Values {
	return envfile.Values{
		GatewayURL: s.GatewayURL, OrdersRPCURL: s.running.RPCURLs[operation.Orders], ClaimsRPCURL: s.running.RPCURLs[operation.Claims],
		QnARPCURL: s.running.RPCURLs[operation.QnA], KeysRPCURL: s.running.KeysURL, RPCToken: s.token, DatabaseURL: s.databaseURL,
		SellerAID: a.ID, SellerAKey: a.Key, SellerBID: b.ID, SellerBKey: b.Key,
	}
}

// SQL opens a connection with all rights in the services' database. It is closed at the end of the test.
func (s *Stack) SQL(t *testing.T) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.databaseURL)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) })
	return conn
}

// Redis opens a connection to the Redis of the services. It is closed at the end of the test.
func (s *Stack) Redis(t *testing.T) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(s.redisURL)
	require.NoError(t, err)
	client := redis.NewClient(options)
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	return client
}

// Logs returns everything that the services have logged so far, in all tests.
func (s *Stack) Logs() string { return s.logs.String() }

// TokenFor returns a token with which a caller of the RPC ports identifies itself.
func (s *Stack) TokenFor(caller string) string { return s.running.TokenFor(caller, time.Hour) }
