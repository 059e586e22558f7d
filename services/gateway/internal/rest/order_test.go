package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/gateway/internal/ownertest"
)

// Each call has all errors from a place in the order on; the response reports the first.
func TestProcessCall_orderOfChecks(t *testing.T) {
	t.Parallel()
	limits := plenty
	limits.Process = 8
	b, o := owned(t, setting{limits: limits}, inbox.Config{}, nil)
	_, text := b.key(t)
	_, blind := b.key(t, "orders:read")
	huge, wrong := strings.Repeat("x", operation.BodyBytes+1), `{"wrong": 1}`
	path := prepare(ownertest.Success)
	step := func(name string, sent call, status int, code string) {
		refused(t, b.send(t, sent), status, code)
		require.NotEmpty(t, name)
	}
	step("no key", call{method: "POST", path: path, body: huge}, 401, "API_KEY_REQUIRED")
	step("bad key", posting("nobody", "", path, huge), 401, "INVALID_API_KEY")
	step("scope", posting(blind, "", path, huge), 403, "SCOPE_FORBIDDEN")
	step("idempotency header before the size", posting(text, "", path, huge), 422, "IDEMPOTENCY_KEY_REQUIRED")
	step("idempotency header before the content", posting(text, strings.Repeat("a", 201), path, wrong), 422,
		"IDEMPOTENCY_KEY_TOO_LONG")
	step("size before the key's past", posting(text, "used", path, huge), 413, "")
	require.Empty(t, o.Arrived(), "every refusal before the service")

	effectIn(t, b.post(t, text, "used", path, "{}"))
	step("reused before the service's 422", posting(text, "used", path, wrong), 409, "IDEMPOTENCY_KEY_REUSED")
	require.Len(t, o.Arrived(), 1)
	step("the service's 422", posting(text, "other", path, wrong), 422, "VALIDATION_ERROR")

	for b.post(t, text, uuid.NewString(), path, "{}").status == http.StatusOK {
		continue
	}
	step("limits before the header", posting(text, "", path, huge), 429, "RATE_LIMITED")
	step("limits before the key's past", posting(text, "used", path, wrong), 429, "RATE_LIMITED")
	step("scope before the limits", posting(blind, "", path, huge), 403, "SCOPE_FORBIDDEN")
}
