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
	"time"

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
	"sellerapi.dev/services/qna/internal/inquiry"
	"sellerapi.dev/services/qna/internal/rest"
	"sellerapi.dev/services/qna/internal/store"
)

var update = flag.Bool("update", false, "rewrite the golden answers")

type fixture struct {
	*pgtest.DB
	engine  *gin.Engine
	store   *store.Store
	cursors *paging.Signer
}

func setup(t *testing.T) fixture {
	t.Helper()
	db := pgtest.New(t, store.Migrations())
	cursors, err := paging.NewSigner([]byte(strings.Repeat("c", 32)))
	require.NoError(t, err)
	secured := db.AsService(t)
	b := fixture{DB: db, store: store.New(secured), cursors: cursors}
	b.engine = web.NewEngine(web.Options{Service: "qna", Telemetry: telemetrytest.Discard(t)})
	api := rest.API{Inquiries: b.store, Cursors: cursors, Box: inbox.New(secured, inbox.Config{})}
	require.NoError(t, web.RegisterOperations(b.engine, principaltest.Verifier(t, trust.QnA),
		operation.Of(operation.QnA), api.Handlers()))
	return b
}

type answer struct {
	status int
	header http.Header
	body   string
	meta   web.Meta
	data   json.RawMessage
}

// code returns the error_code, "" if it is null.
func (a answer) code() string {
	if a.meta.ErrorCode == nil {
		return ""
	}
	return *a.meta.ErrorCode
}

func (a answer) fields(t *testing.T) []string {
	t.Helper()
	list, _ := a.meta.ErrorData["errors"].([]any)
	fields := make([]string, 0, len(list))
	for _, element := range list {
		problem, ok := element.(map[string]any)
		require.True(t, ok)
		field, _ := problem["field"].(string)
		fields = append(fields, field)
	}
	return fields
}

func (b fixture) send(t *testing.T, seller uuid.UUID, request *http.Request) answer {
	t.Helper()
	caller := principal.Principal{SellerID: seller, KeyID: "key-1", KeyPrefix: "vpk_test_abc", Scopes: principal.All()}
	principaltest.Sign(t, trust.QnA, request, caller)
	request.Header.Set(web.RequestIDHeader, "request-1")
	recorder := httptest.NewRecorder()
	b.engine.ServeHTTP(recorder, request)
	got := answer{status: recorder.Code, header: recorder.Header(), body: recorder.Body.String()}
	var envelope web.Envelope
	require.NoError(t, json.Unmarshal(recorder.Body.Bytes(), &envelope))
	got.meta, got.data = envelope.Meta, envelope.Data
	require.Equal(t, got.status, got.meta.Code)
	return got
}

func (b fixture) get(t *testing.T, seller uuid.UUID, query string) answer {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/open/v1/qna", nil)
	request.URL.RawQuery = query
	return b.send(t, seller, request)
}

type key struct {
	digest      inbox.Digest
	fingerprint inbox.Fingerprint
}

func newKey() key {
	return key{digest: inbox.Digest(uuid.New()), fingerprint: inbox.Fingerprint(uuid.New())}
}

func (b fixture) post(t *testing.T, seller uuid.UUID, id, body string, k key) answer {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/open/v1/qna/"+id+"/answer", strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(inbox.Header, inbox.FormatHeader(k.digest, k.fingerprint))
	return b.send(t, seller, request)
}

func (b fixture) answerWith(t *testing.T, seller uuid.UUID, id uuid.UUID, content string) answer {
	t.Helper()
	body, err := json.Marshal(map[string]string{"content": content})
	require.NoError(t, err)
	return b.post(t, seller, id.String(), string(body), newKey())
}

func posted(seller uuid.UUID) inquiry.Posted {
	return inquiry.Posted{
		QnaID: uuid.New(), SellerID: seller, ProductID: uuid.New(), ProductName: "손목시계 <1&2>", Category: inquiry.CategoryProduct,
		Body: "방수가 되나요?\n부탁드립니다.", MemberDisplayName: "김**",
		ImageURLs: []string{"https://img.example/1.jpg", "https://img.example/2.jpg"},
		CreatedAt: time.Date(2026, 5, 1, 8, 30, 0, 120000, time.UTC),
	}
}

func (b fixture) postOne(t *testing.T, seller uuid.UUID) uuid.UUID {
	t.Helper()
	p := posted(seller)
	b.postAll(t, p)
	return p.QnaID
}

func (b fixture) postAll(t *testing.T, batch ...inquiry.Posted) {
	t.Helper()
	outcomes, err := b.store.Post(t.Context(), batch)
	require.NoError(t, err)
	for _, outcome := range outcomes {
		require.Equal(t, inquiry.PostNew, outcome)
	}
}

func (b fixture) inquiries(t *testing.T, seller uuid.UUID) []inquiry.Inquiry {
	t.Helper()
	page, err := b.store.List(t.Context(), seller, inquiry.Filter{}, nil, paging.MaxLimit)
	require.NoError(t, err)
	return page.Rows
}

// requireGolden compares a body with the golden response of that name. replacements are pairs of a value that differs from run
// to run and its placeholder.
func requireGolden(t *testing.T, name, body string, replacements ...string) {
	t.Helper()
	body = strings.NewReplacer(replacements...).Replace(body)
	file := filepath.Join("testdata", name+".json")
	var indented bytes.Buffer
	require.NoError(t, json.Indent(&indented, []byte(body), "", "  "))
	indented.WriteString("\n")
	if *update {
		require.NoError(t, os.WriteFile(file, indented.Bytes(), 0o644)) //nolint:gosec // a file of the source tree
	}
	golden, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(golden), indented.String())
}

// sendUnsigned sends a request that did not come through the gateway.
func (b fixture) sendUnsigned(t *testing.T, method, path string) int {
	t.Helper()
	recorder := httptest.NewRecorder()
	b.engine.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), method, path, nil))
	return recorder.Code
}
