package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal/principaltest"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/ownertest"
)

func TestIdempotencyHeader_required(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: plenty}, inbox.Config{}, nil)
	_, text := b.key(t)
	const required, long = "IDEMPOTENCY_KEY_REQUIRED", "IDEMPOTENCY_KEY_TOO_LONG"
	for name, test := range map[string]struct {
		values []string
		code   string
	}{
		"missing":                    {nil, required},
		"empty":                      {[]string{""}, required},
		"blanks":                     {[]string{"  \t "}, required},
		"Hangul fillers":             {[]string{"\u3164\uFFA0"}, required},
		"ideographic and zero width": {[]string{"\u3000\u200B"}, required},
		"sent twice":                 {[]string{"a", "a"}, required},
		"201 characters":             {[]string{strings.Repeat("a", 201)}, long},
		"201 Korean characters":      {[]string{strings.Repeat("가", 201)}, long},
		"one character":              {[]string{"a"}, ""},
		"200 characters":             {[]string{strings.Repeat("b", 200)}, ""},
		"200 Korean characters":      {[]string{strings.Repeat("나", 200)}, ""},
		"a filler and a letter":      {[]string{"\u3164x"}, ""},
	} {
		sent := posting(text, "", prepare(ownertest.Success), "{}")
		sent.header[idempotency.Header] = test.values
		got := b.send(t, sent)
		if test.code != "" {
			refused(t, got, http.StatusUnprocessableEntity, test.code)
			continue
		}
		effectIn(t, got)
		require.NotEmpty(t, name)
	}
	require.Equal(t, 4, o.effects(t))
	require.Len(t, o.Arrived(), 4)
}

// Every process operation refuses a call without an idempotency key, before any service is
// called.
func TestIdempotencyHeader_everyProcessCall(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: plenty}, inbox.Config{}, nil)
	_, text := b.key(t)
	for _, op := range operation.All() {
		if op.Class == operation.Process {
			got := b.post(t, text, "", concrete(op.Path), "{}")
			refused(t, got, http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REQUIRED")
		}
	}
	require.Empty(t, o.Arrived())
}

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

// The client's Idempotency-Key header would make net/http retry a request without a body.
func TestIdempotencyHeader_notForwarded(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: plenty}, inbox.Config{}, nil)
	_, text := b.key(t)
	const canary = "canary-0192837465"
	for i, path := range []string{prepare(ownertest.Success), approve(ownertest.Success), collectDone(ownertest.Success)} {
		sent := posting(text, fmt.Sprint(canary, i), path, "{}")
		sent.header["Connection"] = []string{idempotency.Header + ", " + inbox.Header}
		sent.header[inbox.Header] = []string{strings.Repeat("0", 32) + " " + strings.Repeat("0", 32)}
		sent.header["X-Idempotency-Key"] = []string{canary}
		effectIn(t, b.send(t, sent))
	}
	arrived := o.Arrived()
	require.Len(t, arrived, 3)
	for _, request := range arrived {
		require.NotContains(t, fmt.Sprint(request.Header), canary)
		for name := range request.Header {
			require.NotContains(t, strings.ToLower(name), "idempotency")
		}
		require.Len(t, request.Header.Values(inbox.Header), 1)
		_, err := inbox.ParseHeader(b.seller, request.Header.Get(inbox.Header))
		require.NoError(t, err)
		require.NotContains(t, request.Header.Get(inbox.Header), strings.Repeat("0", 32))
	}
	require.NotContains(t, b.log.String(), canary)
}

// The headers between gateway and service are not sent to clients.
func TestInternalHeaders_notSentToClients(t *testing.T) {
	t.Parallel()
	b, _ := owned(t, setting{limits: plenty}, inbox.Config{}, nil)
	_, text := b.key(t)
	for range 2 {
		got := b.post(t, text, "key", prepare(ownertest.Success), "{}")
		for _, name := range principaltest.InternalHeaders() {
			require.Empty(t, got.header.Values(name))
		}
	}
}
