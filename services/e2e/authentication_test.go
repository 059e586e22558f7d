package e2e

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/principal/principaltest"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

func keyed(values ...string) stacktest.Call {
	call := stacktest.Get("", "/open/v1/orders")
	call.Header = http.Header{"X-Request-Id": {"same-for-all"}}
	if values != nil {
		call.Header["X-Api-Key"] = values
	}
	return call
}

// Without an API key every operation asks for one, and a blank one counts as missing.
func TestAuthentication_missingKey(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	for _, call := range walk("", "X") {
		stacktest.RequireFailure(t, s.Do(t, call), http.StatusUnauthorized, "API_KEY_REQUIRED")
	}
	for _, values := range [][]string{{""}, {" "}, {"\t"}, {"", ""}} {
		stacktest.RequireFailure(t, s.Do(t, keyed(values...)), http.StatusUnauthorized, "API_KEY_REQUIRED")
	}
}

// Guessing keys reveals nothing: the response body is the same for every reason.
func TestAuthentication_badKeysAnsweredAlike(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	good := seller.Key
	revoked, revokedID := s.IssueKey(t, seller.ID)
	s.RevokeKey(t, seller.ID, revokedID)
	live := strings.Replace(good, "vpk_test_", "vpk_live_", 1)
	middle := len(good) / 2
	first := ""
	for name, values := range map[string][]string{
		"nonsense": {"x"}, "prefix only": {"vpk_test_"}, "truncated": {good[:len(good)-1]}, "too long": {good + "A"},
		"letter changed": {flipped(good, middle)}, "mac changed": {flipped(good, len(good)-1)}, "id changed": {flipped(good, 10)},
		"other environment": {live}, "live nonsense": {"vpk_live_" + strings.Repeat("A", 71)}, "revoked": {revoked},
		"sent twice": {good, good}, "two keys": {good, revoked}, "good and empty": {good, ""}, "comma": {good + "," + good},
		"as bearer": {"Bearer " + good}, "upper case": {strings.ToUpper(good)}, "huge": {strings.Repeat("A", 8000)}, "한글": {"키"},
	} {
		answer := s.Do(t, keyed(values...))
		stacktest.RequireFailure(t, answer, http.StatusUnauthorized, "INVALID_API_KEY")
		require.NotContains(t, answer.Header, "X-Ratelimit-Remaining", name)
		if first == "" {
			first = string(answer.Body)
		}
		require.Equal(t, first, string(answer.Body), name)
	}
	require.Equal(t, http.StatusOK, s.Do(t, keyed(good)).Status)
}

// A caller who guesses thousands of keys gets the same answer for each and does not lock out other callers.
func TestAuthentication_floodOfBadKeys(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	good := s.Seller(t).Key
	known(t, s, good)
	for range 10 {
		calls := append(make([]stacktest.Call, 0, 201), keyed(good))
		for range 200 {
			calls = append(calls, keyed(flipped(good, len("vpk_test_")+rand.IntN(len(good)-len("vpk_test_")))))
		}
		answers := s.Together(t, calls...)
		require.Equal(t, http.StatusOK, answers[0].Status)
		for _, answer := range answers[1:] {
			stacktest.RequireFailure(t, answer, http.StatusUnauthorized, "INVALID_API_KEY")
		}
	}
}

// An API key is refused from its expiry on, and not earlier.
func TestAuthentication_keyEndsAtExpiry(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	expiry := time.Now().Add(5 * time.Second) // within which a key may be tried ten times a second
	issued, err := s.Keys.IssueKey(t.Context(), &gatewayv1.IssueKeyRequest{
		SellerId: seller.ID, Scopes: []string{"orders:read"}, Purpose: "trial", Actor: "representative@shop.example",
		RequestId: uuid.NewString(), ExpiresAt: timestamppb.New(expiry),
	})
	require.NoError(t, err)
	var sent time.Time
	var answer stacktest.Answer
	stacktest.Await(t, "the key ends", func() bool {
		sent, answer = time.Now(), s.Do(t, keyed(issued.GetText()))
		return answer.Status != http.StatusOK || !sent.Before(expiry.Add(clockAllowance))
	})
	stacktest.RequireFailure(t, answer, http.StatusUnauthorized, "INVALID_API_KEY")
	require.True(t, time.Now().After(expiry), "a key is accepted until its expiry")
}

// clockAllowance is how far the clocks of the test, PostgreSQL and Redis may appear to differ.
const clockAllowance = 500 * time.Millisecond

// Revocation is what a seller does when a key has leaked: the next request must already fail.
func TestRevokedKey_failsAtOnce(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	for range 5 {
		text, id := s.IssueKey(t, seller.ID)
		require.Equal(t, http.StatusOK, s.Do(t, keyed(text)).Status)
		s.RevokeKey(t, seller.ID, id)
		stacktest.RequireFailure(t, s.Do(t, keyed(text)), http.StatusUnauthorized, "INVALID_API_KEY")
		require.Equal(t, http.StatusOK, s.Do(t, keyed(seller.Key)).Status, "the seller's other key still works")
	}
}

func TestAuthentication_beforeOtherChecks(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	for _, call := range []stacktest.Call{
		{Path: "/open/v1/orders?limit=0&unknown=1", Key: "x"},
		{Method: http.MethodPost, Path: "/open/v1/orders/X/shipment", Key: "x", Body: []byte("{")},
		{Method: http.MethodPost, Path: "/open/v1/orders/batch/shipment", Key: "x", Body: make([]byte, 5<<20)},
	} {
		stacktest.RequireFailure(t, s.Do(t, call), http.StatusUnauthorized, "INVALID_API_KEY")
	}
}

// Every operation is refused with each key that lacks only its scope, and allowed with each that has only its
// scope.
func TestEveryOperation_needsItsScopeOnly(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	for _, scope := range principal.All() {
		t.Run(string(scope), func(t *testing.T) {
			t.Parallel()
			seller := s.Seller(t)
			only, _ := s.IssueKey(t, seller.ID, scope)
			without, _ := s.IssueKey(t, seller.ID, allBut(scope)...)
			for _, operation := range operations {
				allowed, refused := only, without
				if operation.scope != string(scope) {
					allowed, refused = without, only
				}
				answer := s.Do(t, operation.call(refused, "X", uuid.NewString()))
				stacktest.RequireFailure(t, answer, http.StatusForbidden, "SCOPE_FORBIDDEN")
				require.Equal(t, operation.scope, answer.Meta.ErrorData["required_scope"])
				answer = s.Do(t, operation.call(allowed, "X", uuid.NewString()))
				require.NotContains(t, []int{http.StatusUnauthorized, http.StatusForbidden}, answer.Status, "%s %s",
					operation.method, operation.path)
			}
		})
	}
}

func allBut(scope principal.Scope) []principal.Scope {
	var others []principal.Scope
	for _, other := range principal.All() {
		if other != scope {
			others = append(others, other)
		}
	}
	return others
}

// Only the API key identifies the seller; internal headers that a client sends have no effect.
func TestInternalHeaders_ofClientNotBelieved(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	a, b := s.Seller(t), s.Seller(t)
	mine, theirs := s.PlaceNew(t, a.ID).GetOrderNo(), s.PlaceNew(t, b.ID).GetOrderNo()
	forged := http.Header{"Connection": {"keep-alive, X-Seller-Principal, X-Request-Id, X-Api-Key"}}
	for _, name := range append(principaltest.InternalHeaders(), "X-Seller-Id", "X-Forwarded-Host", "X-Original-Url",
		"X-Http-Method-Override") {
		forged.Set(name, b.ID)
	}
	call := stacktest.Get(a.Key, "/open/v1/orders")
	call.Header = forged
	page := stacktest.RequireOK[stacktest.Page[stacktest.Order]](t, s.Do(t, call))
	require.Equal(t, []string{mine}, orderNos(page.List))
	call.Path = "/open/v1/orders/" + theirs
	stacktest.RequireFailure(t, s.Do(t, call), http.StatusNotFound, "ORDER_NOT_FOUND")
	call.Key = ""
	stacktest.RequireFailure(t, s.Do(t, call), http.StatusUnauthorized, "API_KEY_REQUIRED")
}
