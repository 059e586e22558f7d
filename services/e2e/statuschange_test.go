package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// The table of the specification, row by row.
func TestStatusChange_parametersGoTogether(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	const to, gte, lte = "status_changed_to", "status_changed_at_gte", "status_changed_at_lte"
	const early, late = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"
	for name, row := range map[string]struct {
		query []string
		code  string
	}{
		"none":                     {nil, ""},
		"state and gte":            {[]string{to, "paid", gte, early}, ""},
		"state and lte":            {[]string{to, "paid", lte, late}, ""},
		"state, gte and lte":       {[]string{to, "paid", gte, early, lte, late}, ""},
		"single instant":           {[]string{to, "paid", gte, early, lte, early}, ""},
		"gte alone":                {[]string{gte, early}, "STATUS_CHANGED_FILTER_INCOMPLETE"},
		"lte alone":                {[]string{lte, late}, "STATUS_CHANGED_FILTER_INCOMPLETE"},
		"gte and lte":              {[]string{gte, early, lte, late}, "STATUS_CHANGED_FILTER_INCOMPLETE"},
		"state alone":              {[]string{to, "paid"}, "STATUS_CHANGED_FILTER_INCOMPLETE"},
		"reversed":                 {[]string{to, "paid", gte, late, lte, early}, "STATUS_CHANGED_RANGE_INVALID"},
		"reversed without a state": {[]string{gte, late, lte, early}, "STATUS_CHANGED_FILTER_INCOMPLETE"},
	} {
		answer := s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders", row.query...))
		if row.code == "" {
			require.Equal(t, http.StatusOK, answer.Status, name)
			continue
		}
		stacktest.RequireFailure(t, answer, http.StatusUnprocessableEntity, row.code)
	}
}

// The filter searches the history, not the present state: an order that is delivered now is still found by its
// shipment.
func TestStatusChange_foundByHistory(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	paidAt := time.Now().Add(-100 * time.Hour).UTC().Truncate(time.Second)
	order := stacktest.NewOrder(seller.ID, stacktest.PaidAt(paidAt))
	stacktest.SetHistory(order.GetSellers()[0].GetLines()[0], paidAt, time.Hour, "preparing", "shipping", "delivered")
	s.Place(t, order)
	s.PlaceNew(t, seller.ID)
	want := []string{order.GetOrderNo()}
	for hours, state := range []string{"paid", "preparing", "shipping", "delivered"} {
		at := paidAt.Add(time.Duration(hours) * time.Hour)
		exactly := at.Format(time.RFC3339)
		require.Equal(t, want, list(t, s, seller, "status_changed_to", state, "status_changed_at_gte", exactly, "status_changed_at_lte", exactly), state)
		for _, other := range itemStates {
			if other != state {
				require.Empty(t, list(t, s, seller, "status_changed_to", other, "status_changed_at_gte", exactly, "status_changed_at_lte", exactly))
			}
		}
	}
	justAfter := paidAt.Add(2*time.Hour + time.Microsecond).Format(time.RFC3339Nano)
	require.Empty(t, list(t, s, seller, "status_changed_to", "shipping", "status_changed_at_gte", justAfter))
	require.Equal(t, want, list(t, s, seller, "status_changed_to", "shipping", "status_changed_at_lte", justAfter))
}

func TestStatusChange_reenteredStateListedOnce(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	paidAt := time.Now().Add(-100 * time.Hour).UTC().Truncate(time.Second)
	want := make([]string, 5)
	for n := range want {
		order := stacktest.NewOrder(seller.ID, stacktest.PaidAt(paidAt))
		lines := order.GetSellers()[0]
		lines.Lines = append(lines.Lines, stacktest.NewLine("배"), stacktest.NewLine("감"))
		for i, line := range lines.GetLines() {
			// An operator undid the shipment once, so each line was shipped twice.
			stacktest.SetHistory(line, paidAt, time.Duration(i+1)*time.Hour, "preparing", "shipping", "preparing", "shipping")
		}
		s.Place(t, order)
		want[n] = order.GetOrderNo()
	}
	query := []string{"status_changed_to", "shipping", "status_changed_at_gte", paidAt.Format(time.RFC3339)}
	client := s.Client(seller.ID)
	for _, limit := range []string{"1", "2", "100"} {
		require.ElementsMatch(t, want, orderNos(client.Walk(t, limit, query...)))
	}
}
