package e2e

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// timeParams are the parameters of the order list that take a time, each with the parameters that it requires.
var timeParams = map[string][]string{
	"paid_at_gte": nil, "paid_at_lte": nil, "updated_at_gte": nil, "updated_at_lte": nil,
	"status_changed_at_gte": {"status_changed_to", "paid"}, "status_changed_at_lte": {"status_changed_to", "paid"},
}

var printed = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$`)

// Clients compare timestamps as strings; a dropped zero would break their order.
func TestTimestamps_sixDigitsAndZ(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	at := time.Now().Add(-300 * time.Hour).UTC().Truncate(time.Second) // six zeros
	order := stacktest.NewOrder(seller.ID, stacktest.PaidAt(at))
	stacktest.SetHistory(order.GetSellers()[0].GetLines()[0], at, time.Hour, "preparing", "shipping", "delivered", "confirmed")
	s.Place(t, order)
	got := stacktest.RequireOK[stacktest.Order](t, s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders/"+order.GetOrderNo())))
	item := got.Items[0]
	require.Equal(t, at.Format("2006-01-02T15:04:05")+".000000Z", got.PaidAt)
	for _, text := range []string{got.PaidAt, got.UpdatedAt, *item.ShippedAt, *item.DeliveredAt, *item.ConfirmedAt} {
		require.Regexp(t, printed, text)
	}
	require.Equal(t, at.Add(2*time.Hour).Format("2006-01-02T15:04:05")+".000000Z", *item.ShippedAt)
	require.Equal(t, at.Add(3*time.Hour).Format("2006-01-02T15:04:05")+".000000Z", *item.DeliveredAt)
	require.Equal(t, at.Add(4*time.Hour).Format("2006-01-02T15:04:05")+".000000Z", *item.ConfirmedAt)
}

// One instant can be written in many ways, which are all equivalent.
func TestTimestamps_manyWaysToWriteOne(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	at := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	s.PlaceNew(t, seller.ID, stacktest.PaidAt(at))
	s.PlaceNew(t, seller.ID, stacktest.PaidAt(at.Add(-time.Microsecond)))
	for _, text := range []string{
		"2026-01-31T09:30", "2026-01-31T09:30:00", "2026-01-31T09:30:00.0", "2026-01-31T09:30:00.000000999",
		"2026-01-31T09:30Z", "2026-01-31T09:30:00Z", "2026-01-31T09:30:00.000000Z", "2026-01-31t09:30:00z",
		"2026-01-31T18:30:00+09:00", "2026-01-31T18:30:00+0900", "2026-01-31T18:30:00+09", "2026-01-31T18:30+09:00",
		"2026-01-31T04:00:00-05:30", "2026-02-01T00:30:00+15", "2026-01-31T09:30:00-00:00",
	} {
		answer := s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders", "paid_at_gte", text, "paid_at_lte", text))
		page := stacktest.RequireOK[stacktest.Page[stacktest.Order]](t, answer)
		require.Len(t, page.List, 1, text)
		require.Equal(t, "2026-01-31T09:30:00.000000Z", page.List[0].PaidAt, text)
	}
}

func TestTimestamps_invalid(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	sellers := keysOf(s.Sellers(t, 2))
	for i, text := range []string{
		"", " ", "now", "2026", "2026-01", "2026-01-31", "20260131T093000Z", "2026-01-31T", "2026-01-31T09", "2026-01-31T09:3",
		"2026-01-31T24:00:00Z", "2026-01-31T09:60:00Z", "2026-01-31T09:30:60Z", "2026-12-31T23:59:60Z", "2026-02-29T00:00:00Z",
		"2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z", "2026-01-31 09:30:00Z", "2026-01-31T09:30:00.Z", "2026-01-31T09:30:00,5Z",
		"2026-01-31T09:30:00.1234567890Z", "2026-01-31T09:30:00ZZ", "2026-01-31T09:30:00+9", "2026-01-31T09:30:00+24:00",
		"2026-01-31T09:30:00+09:60", "2026-01-31T09:30:00 +09:00", "2026-01-31T09:30:00KST", "1969-12-31T23:59:59Z",
		"2201-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "1970-01-01T00:00:00+09:00", "1767225600", "２０２６-01-31T09:30:00Z",
	} {
		answer := s.Do(t, stacktest.Get(sellers[i%2], "/open/v1/orders", "updated_at_gte", text))
		stacktest.RequireInvalid(t, answer, "query.updated_at_gte")
	}
}

// An unescaped plus is a common mistake; the response says what to send.
func TestTimestamps_barePlusExplained(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	for name, besides := range timeParams {
		call := stacktest.Get(seller.Key, "/open/v1/orders", besides...)
		separator := "?"
		if besides != nil {
			separator = "&"
		}
		call.Path += separator + name + "=2026-01-31T18:30:00+09:00"
		problem := stacktest.RequireInvalid(t, s.Do(t, call), "query."+name)[0]
		require.Contains(t, problem["message"], "send + as %2B or use Z")
	}
}

// Every parameter that takes a time is checked and named.
func TestTimestamps_everyParameterChecked(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	for name, besides := range timeParams {
		answer := s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders", append([]string{name, "yesterday"}, besides...)...))
		stacktest.RequireInvalid(t, answer, "query."+name)
		require.Equal(t, http.StatusUnprocessableEntity, answer.Status)
	}
}
