package rest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/ownertest"
)

type owner struct {
	*ownertest.Service
	db *pgtest.DB
}

// moments are called at the points of a process call.
type moments func(point ownertest.Point, name string)

func owned(t *testing.T, setting setting, kept inbox.Config, at moments) (*fixture, *owner) {
	t.Helper()
	o := &owner{db: pgtest.New(t, ownertest.Migrations())}
	o.Service = ownertest.New(ownertest.Options{
		Pool: o.db.Pool, Telemetry: telemetrytest.Discard(t), Inbox: kept, At: at,
	})
	return begin(t, setting, o.Service), o
}

// ownedCut starts a gateway in front of an owning service whose database connections can be cut.
func ownedCut(t *testing.T, steps bool, at moments) (*fixture, *owner, *pgtest.Cutter) {
	t.Helper()
	o := &owner{db: pgtest.New(t, ownertest.Migrations())}
	pool, cutter := o.db.OpenCut(t)
	o.Service = ownertest.New(ownertest.Options{Pool: pool, Telemetry: telemetrytest.Discard(t), Steps: steps, At: at})
	return begin(t, setting{limits: plenty}, o.Service), o, cutter
}

// ownedApart starts a gateway in front of two owning services, each with its own inbox: one for claims, one for the rest.
func ownedApart(t *testing.T, setting setting, at moments) (b *fixture, claims, rest *owner) {
	t.Helper()
	owners := make([]*owner, 2)
	for i := range owners {
		owners[i] = &owner{db: pgtest.New(t, ownertest.Migrations())}
		owners[i].Service = ownertest.New(ownertest.Options{Pool: owners[i].db.Pool, Telemetry: telemetrytest.Discard(t), At: at})
	}
	claims, rest = owners[0], owners[1]
	return begin(t, setting, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/open/v1/claims/") {
			claims.ServeHTTP(w, r)
			return
		}
		rest.ServeHTTP(w, r)
	})), claims, rest
}

func (o *owner) effects(t *testing.T) (n int) {
	t.Helper()
	require.NoError(t, o.db.Pool.QueryRow(t.Context(), "select count(*) from effects").Scan(&n))
	return n
}

func (o *owner) stored(t *testing.T) (n int) {
	t.Helper()
	require.NoError(t, o.db.Pool.QueryRow(t.Context(), "select count(*) from inbox_answers").Scan(&n))
	return n
}

// The operations that the tests use: one with a body, and the two without.
func prepare(name string) string     { return "/open/v1/orders/" + name + "/preparation" }
func approve(name string) string     { return "/open/v1/claims/" + name + "/approve" }
func collectDone(name string) string { return "/open/v1/claims/" + name + "/collect-done" }

// posting returns a process call with an idempotency key; without one for "".
func posting(text, key, path, body string) call {
	header := http.Header{"X-Api-Key": {text}, idempotency.Header: {key}}
	if key == "" {
		header[idempotency.Header] = nil
	}
	return call{method: http.MethodPost, path: path, body: body, header: header}
}

func (b *fixture) post(t *testing.T, text, key, path, body string) answer {
	t.Helper()
	return b.send(t, posting(text, key, path, body))
}

func effectIn(t *testing.T, got answer) int {
	t.Helper()
	require.Equal(t, http.StatusOK, got.status, string(got.body))
	var envelope struct{ Data struct{ Effect int } }
	require.NoError(t, json.Unmarshal(got.body, &envelope))
	require.Positive(t, envelope.Data.Effect)
	return envelope.Data.Effect
}

func replayed(t *testing.T, first, again answer) {
	t.Helper()
	require.Equal(t, first.status, again.status)
	require.Equal(t, string(first.body), string(again.body))
	require.Empty(t, first.header.Get(inbox.ReplayedHeader))
	require.Equal(t, "true", again.header.Get(inbox.ReplayedHeader))
	require.Equal(t, first.header.Get("Content-Type"), again.header.Get("Content-Type"))
}

func codeOf(t *testing.T, got answer) string {
	t.Helper()
	var envelope web.Envelope
	require.NoError(t, json.Unmarshal(got.body, &envelope), string(got.body))
	if envelope.Meta.ErrorCode == nil {
		return ""
	}
	return *envelope.Meta.ErrorCode
}
