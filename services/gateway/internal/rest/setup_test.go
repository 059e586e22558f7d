package rest_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus/testutil"
	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/principal/principaltest"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/callers"
	"sellerapi.dev/services/gateway/internal/held"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/ratelimit"
	"sellerapi.dev/services/gateway/internal/requestlog"
	"sellerapi.dev/services/gateway/internal/rest"
	"sellerapi.dev/services/gateway/internal/revocation"
	"sellerapi.dev/services/gateway/internal/store"
	"sellerapi.dev/services/gateway/internal/upstream"
)

const (
	waitFor = time.Minute
	tick    = time.Millisecond
)

type fixture struct {
	callers callers.Board
	url     string
	keys    *apikey.Keys
	texts   *apikey.Texts
	db      *pgtest.DB
	seller  uuid.UUID
	tel     *telemetry.Telemetry
	log     *telemetrytest.Lines
	lookups atomic.Int64

	redis     *redistest.Server
	admitter  *admission.Admitter
	publisher *revocation.Publisher
	waiting   *held.Table
	kept      *store.Store
	requests  *requestlog.Log

	setting   setting
	vault     *apikey.Vault
	addresses map[operation.Service]*url.URL
}

type setting struct {
	limits     ratelimit.Config
	locks      idempotency.Config
	redis      *redistest.Server // nil: an empty database on the server that all tests share
	lookup     time.Duration     // timeout of a key's look-up; 0: as long as a loaded machine needs
	slow       time.Duration     // minimum duration of a look-up
	bodies     int64             // memory for bodies; 0: the default
	timeout    time.Duration     // for bodies that do not arrive; 0: as long as a loaded machine needs
	maxTimeout time.Duration     // for services, whatever the operation; 0: what the operation table says
	spans      *tracetest.SpanRecorder
	refused    int    // calls without a valid key per address; 0: any number
	proxies    string // a network of trusted proxies; empty: none

	clocks      held.Clocks   // what every service answers about clocks; nil: no call is held
	places      int           // for held calls
	readTimeout time.Duration // for reading a request; 0: none
}

func (s setting) trusted() []netip.Prefix {
	if s.proxies == "" {
		return nil
	}
	return []netip.Prefix{netip.MustParsePrefix(s.proxies)}
}

func filled(limits ratelimit.Config) ratelimit.Config {
	defaults.Fill(&limits)
	return limits
}

// plenty are limits that no test reaches, unless it is about limits.
var plenty = filled(ratelimit.Config{Read: 10_000, Process: 10_000, Rows: 1_000_000, Timeout: waitFor})

// published are the limits of the specification, with a timeout for a loaded machine.
var published = filled(ratelimit.Config{Timeout: waitFor})

func letters(t *testing.T, letter string) secret.Keys {
	t.Helper()
	keys, err := secret.NewKeys(bytes.Repeat([]byte(letter), secret.MinKeyBytes))
	require.NoError(t, err)
	return keys
}

func before(t *testing.T, service http.HandlerFunc) *fixture {
	t.Helper()
	if service == nil {
		return begin(t, setting{limits: plenty}, nil)
	}
	return begin(t, setting{limits: plenty}, service)
}

func begin(t *testing.T, setting setting, service http.Handler) *fixture {
	t.Helper()
	b := &fixture{db: pgtest.New(t, store.Migrations()), seller: uuid.New(), setting: setting, redis: setting.redis}
	if b.redis == nil {
		b.redis = redistest.New(t, admission.Scripts()...)
	}
	var err error
	b.texts, err = apikey.NewTexts(apikey.Test, letters(t, "p"))
	require.NoError(t, err)
	keyset, err := apikey.NewKeyset()
	require.NoError(t, err)
	b.vault, err = apikey.NewVault(keyset)
	require.NoError(t, err)
	b.addresses = map[operation.Service]*url.URL{}
	if service != nil {
		b.serve(t, service)
	}
	b.open(t, b.redis.Client, b.db.Pool)
	require.NoError(t, b.keys.Register(t.Context(), apikey.RegisterRequest{SellerID: b.seller, Name: "Seller", Author: kim}))
	return b
}

func (b *fixture) serve(t *testing.T, service http.Handler) {
	t.Helper()
	inner := httptest.NewServer(service)
	t.Cleanup(inner.Close)
	address, err := url.Parse(inner.URL)
	require.NoError(t, err)
	for _, name := range operation.Services() {
		b.addresses[name] = address
	}
}

// replica starts another gateway on the same database and the same Redis, with connections of its own.
func (b *fixture) replica(t *testing.T) *fixture {
	t.Helper()
	other := &fixture{
		db: b.db, seller: b.seller, texts: b.texts, vault: b.vault, redis: b.redis, setting: b.setting, addresses: b.addresses,
	}
	other.open(t, b.redis.Open(t, telemetrytest.Discard(t), admission.Scripts()...), b.db.Open(t, telemetrytest.Discard(t)))
	return other
}

func (b *fixture) open(t *testing.T, client goredis.UniversalClient, pool *postgres.Pool) {
	t.Helper()
	b.log = &telemetrytest.Lines{}
	var err error
	observed := []telemetry.Option{telemetry.WithLogWriter(b.log)}
	if b.setting.spans != nil {
		observed = append(observed, telemetry.WithSpanProcessor(b.setting.spans))
	}
	b.tel, err = telemetry.New(t.Context(), "gateway", "test", telemetry.Config{}, observed...)
	require.NoError(t, err)
	kept := store.New(pool)
	b.admitter = admission.New(client, b.setting.limits, b.setting.locks.WithDefaults())
	t.Cleanup(b.admitter.Drain)
	b.publisher = revocation.New(b.admitter, kept, b.tel.Logger)
	b.keys = apikey.NewKeys(b.texts, b.vault, kept, apikey.Limits{Active: 5, PerDay: 1000}, b.publisher.Publish)
	forwarder := upstream.New(upstream.Options{
		Addresses: b.addresses, Longest: b.setting.maxTimeout, Signer: principaltest.Signer(t), Telemetry: b.tel,
	})
	t.Cleanup(forwarder.Close)
	verifier := apikey.NewVerifier(b.texts, func(ctx context.Context, hash apikey.Hash) (apikey.Found, error) {
		b.lookups.Add(1)
		defer func(took <-chan time.Time) { <-took }(time.After(b.setting.slow))
		return kept.FindKey(ctx, hash)
	}, cmp.Or(b.setting.lookup, waitFor))
	b.holdCalls(t)
	b.kept = kept
	b.requests, err = requestlog.New(kept.WriteRequests, b.tel)
	require.NoError(t, err)
	cursors, err := paging.NewSigner(bytes.Repeat([]byte("c"), secret.MinKeyBytes))
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(rest.New(rest.Options{
		Verifier: verifier, Admitter: b.admitter, Forwarder: forwarder, Telemetry: b.tel, Callers: &b.callers, Held: b.waiting,
		BodyMemory: b.setting.bodies, BodyTimeout: cmp.Or(b.setting.timeout, time.Minute),
		RefusedCalls: b.setting.refused, TrustedProxies: b.setting.trusted(), Answered: b.requests.Answered,
		Requests: &rest.Requests{Log: kept, Cursors: cursors},
	}))
	server.Config.ReadTimeout = b.setting.readTimeout
	server.Start()
	t.Cleanup(server.Close)
	b.url = server.URL
}

// holdCalls starts the table of held calls.
func (b *fixture) holdCalls(t *testing.T) {
	t.Helper()
	clocks := map[operation.Service]held.Clocks{}
	if b.setting.clocks != nil {
		for _, name := range operation.Services() {
			clocks[name] = b.setting.clocks
		}
	}
	b.waiting = held.New(held.Options{Max: b.setting.places, Clocks: clocks, Telemetry: b.tel})
	go b.waiting.Keep(t.Context())
}

func (b *fixture) key(t *testing.T, scopes ...principal.Scope) (apikey.Key, string) {
	t.Helper()
	if len(scopes) == 0 {
		scopes = principal.All()
	}
	key, text, err := b.keys.Issue(t.Context(), apikey.IssueRequest{
		SellerID: b.seller, Scopes: scopes, Author: kim, RequestID: uuid.New(),
	})
	require.NoError(t, err)
	return key, text.Reveal()
}

func (b *fixture) held() float64 {
	return testutil.ToFloat64(b.tel.Gauge(telemetry.BodyMemory).WithLabelValues())
}

func (b *fixture) refusals(reason apikey.Reason) float64 {
	return testutil.ToFloat64(b.tel.Counter(telemetry.KeyRefusals).WithLabelValues(string(reason)))
}

type call struct {
	method, path, body string
	header             http.Header
	chunked            bool // the length of the body is not announced
}

func with(keys ...string) call {
	return call{method: http.MethodGet, path: "/open/v1/orders", header: http.Header{"X-Api-Key": keys}}
}

type answer struct {
	status int
	header http.Header
	length int64 // -1: not announced
	body   []byte
}

func (b *fixture) send(t *testing.T, c call) answer {
	t.Helper()
	return b.sendBody(t, c, false)
}

func (b *fixture) sendBody(t *testing.T, c call, chunked bool) answer {
	t.Helper()
	c.chunked = chunked
	got, err := b.try(t.Context(), c)
	require.NoError(t, err)
	return got
}

// try sends a call and returns the response; for goroutines, which cannot end a test.
func (b *fixture) try(ctx context.Context, c call) (answer, error) {
	var body io.Reader
	switch {
	case c.body != "" && c.chunked:
		body = io.MultiReader(strings.NewReader(c.body)) // a reader of unknown length
	case c.body != "":
		body = strings.NewReader(c.body)
	}
	request, err := http.NewRequestWithContext(ctx, c.method, b.url+c.path, body)
	if err != nil {
		return answer{}, err
	}
	if c.method == http.MethodPost {
		request.Header.Set(idempotency.Header, uuid.NewString())
	}
	for name, values := range c.header {
		request.Header[name] = values
	}
	response, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(request)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, response.ContentLength, content}, err
}

func refused(t *testing.T, got answer, status int, code string) web.Meta {
	t.Helper()
	require.Equal(t, status, got.status, string(got.body))
	require.Equal(t, "no-store", got.header.Get("Cache-Control"))
	var envelope web.Envelope
	require.NoError(t, json.Unmarshal(got.body, &envelope))
	require.Equal(t, "null", string(envelope.Data))
	require.Equal(t, status, envelope.Meta.Code)
	if code == "" {
		require.Nil(t, envelope.Meta.ErrorCode)
		return envelope.Meta
	}
	require.NotNil(t, envelope.Meta.ErrorCode)
	require.Equal(t, code, *envelope.Meta.ErrorCode)
	return envelope.Meta
}

func concrete(pattern string) string {
	return strings.NewReplacer(":order_no", "O-1", ":claim_no", "C-1", ":qna_id", uuid.Nil.String()).Replace(pattern)
}

var kim = audit.Author{Caller: "console", Actor: "kim"}
