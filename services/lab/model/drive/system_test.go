package drive

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
	"sellerapi.dev/pkg/postgres/distributed/nodes"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	claimsv1connect "sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
	"sellerapi.dev/services/allinone/stack"
)

const (
	// startTimeout bounds the start of everything, timeout bounds any call, on a machine that is busy with other tests;
	// inline is how long an action waits for the calls that it makes.
	startTimeout = 2 * time.Minute
	timeout      = time.Minute
	inline       = 20 * time.Second
	// sweepInterval is the time between two sweeps. It is short, so that the remaining work of a call is done soon.
	sweepInterval = 500 * time.Millisecond
	// noLimit is more calls and rows than a seller makes here.
	noLimit = 1_000_000
)

type system struct {
	gateway   string
	http      *http.Client
	orders    ordersv1connect.IntakeClient
	claims    claimsv1connect.IntakeClient
	inquiries qnav1connect.IntakeClient
	keys      gatewayv1connect.KeysClient
	provider  *provider
	database  *pgxpool.Pool
}

// shared returns the system of this test binary. It and its servers end with the process.
var shared = sync.OnceValues(start)

func start() (*system, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	database, err := openDatabase(ctx)
	if err != nil {
		return nil, err
	}
	redis, err := launch.PooledRedis(ctx)
	if err != nil {
		return nil, err
	}
	if err := forgetful(ctx, database.URL); err != nil {
		return nil, err
	}
	secrets, err := stack.NewSecrets()
	if err != nil {
		return nil, err
	}
	provider, err := openProvider(ctx)
	if err != nil {
		return nil, err
	}
	running, err := stack.Start(ctx, stack.Config{
		DatabaseURL: secret.New(database.URL), Distributed: distributedtest.Requested(), RedisURL: secret.New(redis.URL),
		Secrets: secrets, Timeout: timeout,
		Limits:        stack.Limits{Read: noLimit, Process: noLimit, Rows: noLimit, Timeout: timeout},
		SweepInterval: sweepInterval, Telemetry: telemetry.Config{Logs: io.Discard, LogLevel: slog.LevelError},
		Claims: stack.Claims{RefundURL: provider.url, RefundKeys: provider.keys, Timeout: inline},
	})
	if err != nil {
		return nil, err
	}
	pool, err := openPool(ctx, database.URL)
	if err != nil {
		return nil, err
	}
	token := running.Token(24 * time.Hour)
	return &system{
		gateway: running.GatewayURL, provider: provider, database: pool,
		http: &http.Client{
			Timeout: 2 * timeout, Transport: &http.Transport{DisableCompression: true, MaxIdleConns: 256, MaxIdleConnsPerHost: 256},
		},
		orders:    stack.Intake(running.RPCURLs[operation.Orders], token),
		claims:    stack.ClaimIntake(running.RPCURLs[operation.Claims], token),
		inquiries: stack.Inquiries(running.RPCURLs[operation.QnA], token), keys: stack.Keys(running.KeysURL, token),
	}, nil
}

// openDatabase starts the PostgreSQL of this test binary: one node, or in the distributed layout a coordinator with two workers.
func openDatabase(ctx context.Context) (*launch.Server, error) {
	if !distributedtest.Requested() {
		return launch.PooledPostgres(ctx)
	}
	cluster, err := nodes.Pooled(ctx, 2)
	if err != nil {
		return nil, err
	}
	return cluster.Coordinator, nil
}

// openPool opens the driver's own connections. Their statements are planned while the tables are small, and many seeds follow.
func openPool(ctx context.Context, url string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.ConnConfig.RuntimeParams["enable_seqscan"] = "off"
	return pgxpool.NewWithConfig(context.WithoutCancel(ctx), config)
}

// forgetful turns synchronous commit off: no test here stops the database and checks what it has kept.
func forgetful(ctx context.Context, url string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, "alter role current_user set synchronous_commit = off")
	return err
}

func (s *system) seller(ctx context.Context) (id, key string, err error) {
	id = uuid.NewString()
	const actor = "representative@shop.example"
	_, err = s.keys.RegisterSeller(ctx, &gatewayv1.RegisterSellerRequest{SellerId: id, Name: "모형상회", Actor: actor})
	if err != nil {
		return "", "", fmt.Errorf("register seller: %w", err)
	}
	request := &gatewayv1.IssueKeyRequest{SellerId: id, Purpose: "model", Actor: actor, RequestId: uuid.NewString()}
	for _, scope := range principal.All() {
		request.Scopes = append(request.Scopes, string(scope))
	}
	answer, err := s.keys.IssueKey(ctx, request)
	if err != nil {
		return "", "", fmt.Errorf("issue key: %w", err)
	}
	return id, answer.GetText(), nil
}

// paid is the answer of a provider that has paid; mainRefund is the kind of the payout that pays a claim's refund_amount.
const (
	paid       = "succeeded"
	mainRefund = "refund"
)

// provider is a test double of the payment provider. It pays at once, unless says has set another answer for a claim's refund.
type provider struct {
	url  string
	keys secret.Keys

	mu    sync.Mutex
	words map[string]string
	asked map[string]map[string]payout
}

// payout is a refund that was requested from the provider. Amount is money.
type payout struct {
	RefundID string `json:"refund_id"`
	ClaimNo  string `json:"claim_no"`
	OrderNo  string `json:"order_no"`
	SellerID string `json:"seller_id"`
	Kind     string `json:"kind"`
	Amount   int64  `json:"amount"`
	Points   int64  `json:"points"`
}

func openProvider(ctx context.Context) (*provider, error) {
	key := make([]byte, secret.MinKeyBytes)
	_, _ = rand.Read(key) // never fails
	keys, err := secret.NewKeys(key)
	if err != nil {
		return nil, err
	}
	port, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &provider{
		url: "http://" + port.Addr().String() + "/refunds", keys: keys, words: map[string]string{},
		asked: map[string]map[string]payout{},
	}
	server := &http.Server{Handler: p, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(port) }()
	return p, nil
}

// says sets the provider's answer to requests for the refund of a claim.
func (p *provider) says(claimNo, word string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.words[claimNo] = word
}

// forget removes what was set and requested for claims whose numbers begin like this: many seeds are run in one process.
func (p *provider) forget(prefix string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.words, func(claimNo, _ string) bool { return strings.HasPrefix(claimNo, prefix) })
	maps.DeleteFunc(p.asked, func(claimNo string, _ map[string]payout) bool { return strings.HasPrefix(claimNo, prefix) })
}

// of returns what was requested for a claim, each payout once.
func (p *provider) of(claimNo string) []payout {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := make([]payout, 0, len(p.asked[claimNo]))
	for _, one := range p.asked[claimNo] {
		all = append(all, one)
	}
	return all
}

// ServeHTTP answers a request. A request for the same refund with other values is recorded beside the first.
func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked payout
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	word := paid
	p.mu.Lock()
	if p.asked[asked.ClaimNo] == nil {
		p.asked[asked.ClaimNo] = map[string]payout{}
	}
	p.asked[asked.ClaimNo][fmt.Sprint(asked)] = asked
	if told := p.words[asked.ClaimNo]; told != "" && asked.Kind == mainRefund {
		word = told
	}
	p.mu.Unlock()
	_ = json.NewEncoder(w).Encode(map[string]string{"status": word, "reference": "P-" + asked.RefundID})
}
