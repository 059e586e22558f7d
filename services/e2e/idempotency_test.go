package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// Reads have no idempotency; they ignore the header.
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

// Four hundred calls with five API keys of a seller, of which each allows thirty calls a minute, all with one Idempotency-Key:
// one prepares the order, the others get its response, as far as the limits allow, or are told that it is still in progress,
// which costs each API key one call a second, so that no limit is used up by it.
func TestIdempotencyKey_400ConcurrentCalls(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	keys := make([]string, 5)
	keys[0] = d.seller.Key
	for i := range keys[1:] {
		keys[i+1], _ = d.IssueKey(t, d.seller.ID)
	}
	known(t, d.Stack, keys...)
	orderNo, ids := d.place(t)
	calls := make([]stacktest.Call, 400)
	operation := uuid.NewString()
	for i := range calls {
		calls[i] = stacktest.PostJSON(t, keys[i%len(keys)], "/open/v1/orders/"+orderNo+"/preparation", of(ids...))
		calls[i].Header.Set("Idempotency-Key", operation)
	}
	began, seen, unchecked := time.Now(), map[string]int{}, 0
	var bodies []string
	for _, answer := range d.Together(t, calls...) {
		unchecked += answer.Unchecked
		what := answer.Code()
		if answer.Status == http.StatusOK {
			what = "replayed " + answer.Header.Get(replayedHeader)
			bodies = append(bodies, string(answer.Body))
		}
		seen[what]++
	}
	require.Equal(t, 1, seen["replayed "], seen)
	answered := seen["replayed "] + seen["replayed true"]
	require.LessOrEqual(t, answered, 30*len(keys)*(1+int(time.Since(began)/time.Minute)), seen) // a busy machine may take minutes
	// a busy machine's services may ask for a repetition, which has no code of its own
	unavailable := seen[""]
	require.Equal(t, len(calls)-answered-unavailable-seen["IDEMPOTENCY_IN_PROGRESS"], seen["RATE_LIMITED"], seen)
	charged := answered + len(keys)*(1+int(time.Since(began)/time.Second)) + unchecked + unavailable // these may have been counted
	require.True(t, seen["RATE_LIMITED"] == 0 || charged >= 30, seen)
	require.Len(t, slices.Compact(bodies), 1)

	var effects, stored int
	conn := d.SQL(t)
	require.NoError(t, conn.QueryRow(t.Context(),
		"select count(*) from orders.status_changes where seller_id = $1 and to_status = 'preparing'", d.seller.ID).Scan(&effects))
	require.NoError(t, conn.QueryRow(t.Context(), "select count(*) from orders.inbox_answers where seller_id = $1",
		d.seller.ID).Scan(&stored))
	require.Equal(t, []int{1, 1}, []int{effects, stored})
}

// An idempotency key is used once across all services of a seller, also when the first response is long: a request to another
// service is refused, and the first response remains available.
func TestIdempotencyKey_acrossServices(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.newClaim(t, stacktest.Return)
	orderNo, ids := d.place(t)
	short := stacktest.PostJSON(t, "", batchPath, body{"items": []body{entryOf(orderNo, ids...)}})
	orderNo, ids = d.place(t)
	entries := append(make([]body, 0, 500), entryOf(orderNo, ids...))
	for i := range 499 { // these orders do not exist, which makes a long response
		entries = append(entries, entryOf(fmt.Sprintf("T%050d", i), "x"))
	}
	long := stacktest.PostJSON(t, "", batchPath, body{"items": entries})
	answer := d.client.Do(t, long.Under(uuid.NewString()))
	require.Equal(t, http.StatusOK, answer.Status, "%s", answer.Body)
	require.Greater(t, len(answer.Body), 64<<10, "larger than what the gateway stores")
	approval := actOn(t, claim.ClaimNo, "approve", nil)

	for _, batch := range []stacktest.Call{short, long} {
		d.requireOneOfTwo(t, batch, approval)
	}
	require.Equal(t, claim.Status, d.client.Claim(t, claim.ClaimNo).Status)
	orderNo, ids = d.place(t)
	d.requireOneOfTwo(t, approval, stacktest.PostJSON(t, "", batchPath,
		body{"items": append(entries[1:], entryOf(orderNo, ids...))}))
	require.Equal(t, "paid", d.order(t, orderNo).OrderStatus)
	require.Equal(t, "approved", d.client.Claim(t, claim.ClaimNo).Status)
}

// requireOneOfTwo sends the first call and then both in turn, under one key: the first gets its response again, the other is
// refused.
func (d *session) requireOneOfTwo(t *testing.T, first, other stacktest.Call) {
	t.Helper()
	key := uuid.NewString()
	answer := d.client.Do(t, first.Under(key))
	require.Equal(t, http.StatusOK, answer.Status, "%s", answer.Body)
	for range 2 {
		stacktest.RequireFailure(t, d.client.Do(t, other.Under(key)), http.StatusConflict, "IDEMPOTENCY_KEY_REUSED")
		again := d.client.Do(t, first.Under(key))
		require.Equal(t, string(answer.Body), string(again.Body), "byte for byte")
		require.Equal(t, "true", again.Header.Get(replayedHeader))
	}
}
