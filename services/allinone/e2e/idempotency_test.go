package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/stack/stacktest"
)

func TestEveryProcessCallNeedsAnIdempotencyKey(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	client := s.Client(s.Seller(t).ID)
	for _, operation := range operations {
		if operation.method != http.MethodPost {
			continue
		}
		for name, values := range map[string][]string{
			"missing": nil, "empty": {""}, "blank": {"   "}, "wide blank": {"\u3000"}, "fillers": {"\u3164\uffa0"}, "twice": {"a", "b"}, "twice the same": {"a", "a"},
		} {
			call := operation.call("", "X", "Y")
			call.Header["Idempotency-Key"] = values
			answer := client.Do(t, call)
			require.Equal(t, "IDEMPOTENCY_KEY_REQUIRED", answer.Code(), "%s: %s", name, operation.path)
			require.Equal(t, http.StatusUnprocessableEntity, answer.Status)
		}
	}
}

// Characters are counted, not bytes.
func TestAnIdempotencyKeyHasAtMost200Characters(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	send := func(key string) stacktest.Answer {
		call := stacktest.Post(seller.Key, "/open/v1/orders/X/preparation", `{"item_ids":["x"]}`)
		call.Header.Set("Idempotency-Key", key)
		return s.Do(t, call)
	}
	for _, key := range []string{uuid.NewString(), "x", strings.Repeat("a", 200), strings.Repeat("가", 200), "a b"} {
		require.NotContains(t, send(key).Code(), "IDEMPOTENCY", key)
	}
	for _, key := range []string{strings.Repeat("a", 201), strings.Repeat("가", 201)} {
		stacktest.RequireFailure(t, send(key), http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_TOO_LONG")
	}
}

// The header is looked at after the key and its scope and before the body.
func TestTheIdempotencyKeyIsCheckedInItsPlace(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	call := stacktest.Post(seller.Key, "/open/v1/orders/X/shipment", "{")
	call.Header.Del("Idempotency-Key")
	stacktest.RequireFailure(t, s.Do(t, call), http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REQUIRED")
	call.Key, _ = s.IssueKey(t, seller.ID, "orders:read")
	stacktest.RequireFailure(t, s.Do(t, call), http.StatusForbidden, "SCOPE_FORBIDDEN")
}

// Reads are not processed once; they take no notice of the header.
func TestReadsIgnoreTheHeader(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	call := stacktest.Get(seller.Key, "/open/v1/orders")
	call.Header = http.Header{"Idempotency-Key": {"same"}}
	require.JSONEq(t, `{"list":[],"next_cursor":null}`, string(s.Do(t, call).Data))
	order := s.PlaceNew(t, seller.ID)
	page := stacktest.RequireOK[stacktest.Page[stacktest.Order]](t, s.Do(t, call))
	require.Equal(t, []string{order.GetOrderNo()}, orderNos(page.List))
}
