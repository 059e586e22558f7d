package rest_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/principal/principaltest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/rest"
	"sellerapi.dev/services/orders/internal/store"
	"sellerapi.dev/services/orders/internal/store/storetest"
)

var update = flag.Bool("update", false, "rewrite the golden answers")

type fixture struct {
	t      *testing.T
	store  *store.Store
	db     *pgtest.DB
	engine *gin.Engine
	seller uuid.UUID
}

func setup(t *testing.T) *fixture {
	t.Helper()
	s := &fixture{t: t, seller: uuid.New()}
	s.store, s.db = storetest.New(t)
	cursors, err := paging.NewSigner(bytes.Repeat([]byte("c"), 32))
	require.NoError(t, err)
	s.engine = web.NewEngine(web.Options{Service: "orders", Telemetry: telemetrytest.Discard(t)})
	api := rest.API{
		Orders: s.store, Cursors: cursors,
		Box: inbox.New(s.db.AsService(t), inbox.Config{}), Logger: telemetrytest.Discard(t).Logger, BatchWorkers: 8,
	}
	require.NoError(t, web.RegisterOperations(s.engine, principaltest.Verifier(t, trust.Orders),
		operation.Of(operation.Orders), api.Handlers()))
	return s
}

// place places orders, every one of which must be new.
func (s *fixture) place(placements ...order.Placement) {
	s.t.Helper()
	results, err := s.store.Place(s.t.Context(), placements)
	require.NoError(s.t, err)
	for _, result := range results {
		require.Equal(s.t, order.Placed, result.Outcome)
	}
}

// exec changes rows without the service, as its other writers will.
func (s *fixture) exec(statement string, args ...any) {
	s.t.Helper()
	_, err := s.db.Pool.Exec(s.t.Context(), statement, args...)
	require.NoError(s.t, err)
}

type answer struct {
	status int
	header http.Header
	body   string
	web.Envelope
}

func (s *fixture) get(target string) answer {
	s.t.Helper()
	return s.getAs(target, principal.Principal{SellerID: s.seller, KeyID: "k1", KeyPrefix: "vpk_test_abc", Scopes: principal.All()})
}

func (s *fixture) getAs(target string, who principal.Principal) answer {
	s.t.Helper()
	request := httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, target, nil)
	principaltest.Sign(s.t, trust.Orders, request, who)
	return s.send(request)
}

type key struct {
	digest      inbox.Digest
	fingerprint inbox.Fingerprint
}

func newKey() key {
	return key{digest: inbox.Digest(uuid.New()), fingerprint: inbox.Fingerprint(uuid.New())}
}

func (s *fixture) post(target, body string) answer {
	s.t.Helper()
	return s.postWith(target, body, newKey())
}

func (s *fixture) postWith(target, body string, k key) answer {
	s.t.Helper()
	return s.send(s.request(target, body, k, principal.All()...))
}

func (s *fixture) request(target, body string, k key, scopes ...principal.Scope) *http.Request {
	s.t.Helper()
	request := httptest.NewRequestWithContext(s.t.Context(), http.MethodPost, target, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(inbox.Header, inbox.FormatHeader(k.digest, k.fingerprint))
	who := principal.Principal{SellerID: s.seller, KeyID: "k1", KeyPrefix: "vpk_test_abc", Scopes: scopes}
	principaltest.Sign(s.t, trust.Orders, request, who)
	return request
}

func (s *fixture) send(request *http.Request) answer {
	s.t.Helper()
	request.Header.Set("X-Request-Id", "the-request")
	recorder := httptest.NewRecorder()
	s.engine.ServeHTTP(recorder, request)
	a := answer{status: recorder.Code, header: recorder.Header(), body: recorder.Body.String()}
	require.NoError(s.t, json.Unmarshal(recorder.Body.Bytes(), &a.Envelope), a.body)
	require.Equal(s.t, a.status, a.Meta.Code)
	return a
}

type listed struct {
	List []struct {
		OrderNo   string `json:"order_no"`
		UpdatedAt string `json:"updated_at"`
	} `json:"list"`
	NextCursor *string `json:"next_cursor"`
}

func (a answer) list(t *testing.T) listed {
	t.Helper()
	require.Equal(t, http.StatusOK, a.status, a.body)
	var l listed
	require.NoError(t, json.Unmarshal(a.Data, &l))
	return l
}

func (a answer) numbers(t *testing.T) []string {
	t.Helper()
	list := a.list(t)
	numbers := make([]string, 0, len(list.List))
	for _, o := range list.List {
		numbers = append(numbers, o.OrderNo)
	}
	return numbers
}

// code returns the error code, "" for null.
func (a answer) code() string {
	if a.Meta.ErrorCode == nil {
		return ""
	}
	return *a.Meta.ErrorCode
}

func (a answer) fields() []string {
	problems, _ := a.Meta.ErrorData["errors"].([]any)
	fields := make([]string, 0, len(problems))
	for _, problem := range problems {
		field, _ := problem.(map[string]any)["field"].(string)
		fields = append(fields, field)
	}
	return fields
}

// requireGolden compares the response with the golden file, byte for byte except for the indentation. replacements are pairs of a
// value that differs from run to run and its placeholder.
func (a answer) requireGolden(t *testing.T, name string, replacements ...string) {
	t.Helper()
	var indented bytes.Buffer
	require.NoError(t, json.Indent(&indented, []byte(strings.NewReplacer(replacements...).Replace(a.body)), "", "  "))
	indented.WriteByte('\n')
	file := filepath.Join("testdata", name+".golden.json")
	if *update {
		require.NoError(t, os.WriteFile(file, indented.Bytes(), 0o600))
	}
	golden, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, strings.Split(string(golden), "\n"), strings.Split(indented.String(), "\n"))
}
