package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/gateway"
)

// Every operation refuses each mistake that all requests of its kind can contain with the same status and code.
func TestEveryOperation_invalid(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	for _, row := range []struct {
		wrong    string
		concerns func(operation) bool
		spoil    func(*stacktest.Call)
		status   int
		code     string
	}{
		{"no API key", operation.any, func(c *stacktest.Call) { c.Key = "" }, 401, "API_KEY_REQUIRED"},
		{"malformed API key", operation.any, func(c *stacktest.Call) { c.Key = "x" }, 401, "INVALID_API_KEY"},
		{"unknown parameter", operation.any, func(c *stacktest.Call) { c.Path += "?unknown=1" }, 422, "VALIDATION_ERROR"},
		{"malformed cursor", operation.lists, func(c *stacktest.Call) { c.Path += "?cursor=x" }, 422, "INVALID_CURSOR"},
		{"wrong Content-Type", operation.hasBody, func(c *stacktest.Call) { c.Header.Set("Content-Type", "text/plain") }, 415, ""},
		{"large body", operation.processes, func(c *stacktest.Call) { c.Body = make([]byte, 5<<20) }, 413, ""},
		{"no body", operation.hasBody, func(c *stacktest.Call) { c.Body = nil }, 422, "VALIDATION_ERROR"},
		{
			"no idempotency key", operation.keyed, func(c *stacktest.Call) { c.Header.Del("Idempotency-Key") }, 422,
			"IDEMPOTENCY_KEY_REQUIRED",
		},
		{"long idempotency key", operation.keyed, func(c *stacktest.Call) {
			c.Header.Set("Idempotency-Key", strings.Repeat("k", 201))
		}, 422, "IDEMPOTENCY_KEY_TOO_LONG"},
	} {
		t.Run(row.wrong, func(t *testing.T) {
			t.Parallel()
			seller := s.Seller(t)
			s.PermitCorrection(t, seller.ID, true)
			for _, operation := range operations {
				if !row.concerns(operation) {
					continue
				}
				call := operation.call(seller.Key, uuid.NewString(), uuid.NewString())
				row.spoil(&call)
				stacktest.RequireFailure(t, s.Do(t, call), row.status, row.code)
			}
		})
	}
}

// Every operation is refused with a key that lacks its scope.
func TestEveryOperation_403MissingScope(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	orders, _ := s.IssueKey(t, seller.ID, "orders:read")
	inquiries, _ := s.IssueKey(t, seller.ID, "qna:read")
	for _, operation := range operations {
		if operation.scope == "" {
			continue
		}
		key := orders
		if operation.scope == "orders:read" {
			key = inquiries
		}
		stacktest.RequireFailure(t, s.Do(t, operation.call(key, "X", uuid.NewString())), http.StatusForbidden, "SCOPE_FORBIDDEN")
	}
}

// processing returns calls of all operations with an idempotency key, on a record that does not exist, each with the idempotency
// key that the function returns for its number.
func processing(apiKey string, idempotencyKey func(n int) string) []stacktest.Call {
	var calls []stacktest.Call
	for n, operation := range operations {
		if operation.keyed() {
			calls = append(calls, operation.call(apiKey, uuid.NewString(), uuid.NewString()).Under(idempotencyKey(n)))
		}
	}
	return calls
}

func same(key string) func(int) string { return func(int) string { return key } }

// A key with a stored response cannot be used for any other request, whatever the operation.
func TestEveryOperation_409ReusedKey(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	apiKey, key := s.Seller(t).Key, uuid.NewString()
	first := stacktest.PostJSON(t, apiKey, "/open/v1/orders/T0/delivery", of("x")).Under(key)
	stacktest.RequireFailure(t, s.Do(t, first), http.StatusNotFound, "ORDER_NOT_FOUND")
	for _, call := range processing(apiKey, same(key)) {
		stacktest.RequireFailure(t, s.Do(t, call), http.StatusConflict, "IDEMPOTENCY_KEY_REUSED")
	}
}

// While a request is in progress its outcome is unknown, so its key is refused for a while, and can be used again
// when the request has failed without an outcome.
func TestEveryOperation_idempotencyKeyInProgress(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	silent := listen(t)
	stuck := s.Through(t, func(config *gateway.Config) {
		config.Upstream.Upstreams = service.Upstreams{"orders": "http://" + silent.Addr().String()}
	})
	apiKey, key := s.Seller(t).Key, uuid.NewString()
	first := stacktest.PostJSON(t, apiKey, batchPath, body{"items": []body{entryOf("T0", uuid.NewString())}}).Under(key)
	answered := make(chan stacktest.Answer, 1)
	go func() { answered <- stuck.Do(t, first) }()
	connection, err := silent.Accept()
	require.NoError(t, err, "the service has not responded to the first request")

	for _, call := range processing(apiKey, same(key)) {
		answer := s.Do(t, call)
		stacktest.RequireFailure(t, answer, http.StatusConflict, "IDEMPOTENCY_IN_PROGRESS")
		require.Contains(t, []string{"1", "2", "3", "4", "5", "6"}, answer.Header.Get("Retry-After"))
	}
	require.NoError(t, connection.Close())
	stacktest.RequireFailure(t, <-answered, http.StatusServiceUnavailable, "")
	require.Equal(t, http.StatusOK, s.Do(t, first).Status)
}

// A key whose stored response has expired must not execute its request again, although the outcome is no longer
// recorded.
func TestEveryOperation_expiredIdempotencyKey(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	s.PermitCorrection(t, seller.ID, true)
	calls := processing(seller.Key, func(int) string { return uuid.NewString() })
	for _, call := range calls {
		require.Contains(t, []int{http.StatusOK, http.StatusNotFound}, s.Do(t, call).Status, call.Path)
	}
	expireAnswers(t, s, seller.ID)
	later := s.Through(t, ownRedis(t)) // the entries of the first Redis are gone as well
	for range 2 {                      // once from the service and once from Redis
		for _, call := range calls {
			stacktest.RequireFailure(t, later.Do(t, call), http.StatusGone, "IDEMPOTENCY_RESULT_EXPIRED")
		}
	}
}

// expireAnswers moves the stored responses of a seller 24 hours into the past, so that they expire.
func expireAnswers(t *testing.T, s *stacktest.Stack, sellerID string) {
	t.Helper()
	for _, schema := range []string{"orders", "claims", "qna"} {
		_, err := s.SQL(t).Exec(t.Context(),
			"update "+schema+".inbox_answers set answered_at = now() - interval '24 hours' where seller_id = $1", sellerID)
		require.NoError(t, err)
	}
}

// An API key without remaining quota is refused, whatever the request.
func TestEveryOperationIsLimited(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t).Through(t, func(config *gateway.Config) { config.Limits.Read, config.Limits.Process = 1, 1 })
	s.Undisturbed(t, func(do func(stacktest.Call) stacktest.Answer) {
		key := s.Seller(t).Key
		require.Equal(t, http.StatusOK, do(stacktest.Get(key, "/open/v1/orders")).Status)
		require.Equal(t, http.StatusNotFound, do(stacktest.Post(key, "/open/v1/claims/X/approve", "")).Status)
		for _, call := range callsOf(operation.any, key, uuid.NewString()) {
			limit := "process"
			if call.Method == http.MethodGet {
				limit = "read"
			}
			requireLimited(t, do(call), limit, 1)
		}
	})
}
