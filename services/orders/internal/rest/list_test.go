package rest_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

const list = "/open/v1/orders?"

// Each row has one error; exactly that must be reported, with the field.
func TestList_422NamesMistakes(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for query, field := range map[string]string{
		"order_status=shipped": "order_status", "order_status=": "order_status", "order_status=PAID": "order_status",
		"order_status=returned": "order_status", "order_status=pending": "order_status",
		"item_status=partially_claimed": "item_status", "item_status=pending": "item_status", "item_status=failed": "item_status",
		"status_changed_to=expired&status_changed_at_gte=2026-01-01T00:00:00Z": "status_changed_to",
		"order_no=": "order_no", "order_no=%20": "order_no", "order_no=a%00b": "order_no",
		"order_no=" + strings.Repeat("A", 65): "order_no",
		"paid_at_gte=2026-01-01":              "paid_at_gte", "paid_at_lte=yesterday": "paid_at_lte",
		"ship_by_lte=2026-01-01T00:00:00+09:00": "ship_by_lte", "ship_by_lte=": "ship_by_lte",
		"updated_at_gte=":                                                     "updated_at_gte",
		"updated_at_lte=2026-13-01T00:00:00Z":                                 "updated_at_lte",
		"status_changed_at_gte=x&status_changed_to=paid":                      "status_changed_at_gte",
		"status_changed_at_lte=x&status_changed_to=paid":                      "status_changed_at_lte",
		"paid_at_gte=2026-01-02T00:00:00Z&paid_at_lte=2026-01-01T00:00:00Z":   "paid_at_gte",
		"updated_at_gte=2026-01-02T00:00&updated_at_lte=2026-01-01T00:00:00Z": "updated_at_gte",
		"limit=0": "limit", "limit=101": "limit", "limit=ten": "limit", "limit=": "limit", "limit=1&limit=1": "limit",
		"orderstatus=paid": "orderstatus", "page=2": "page",
	} {
		a := s.get(list + query)
		require.Equal(t, http.StatusUnprocessableEntity, a.status, query)
		require.Equal(t, "VALIDATION_ERROR", a.code(), query)
		require.Equal(t, []string{"query." + field}, a.fields(), query)
		require.Equal(t, "0", a.header.Get(principal.RowsHeader), query)
	}
}

// The error for a value that is not allowed lists the allowed ones.
func TestList_422ListsAllowedValues(t *testing.T) {
	t.Parallel()
	s := setup(t)
	states := []any{"paid", "preparing", "shipping", "delivered", "confirmed", "canceled", "returned", "exchanged"}
	for name, allowed := range map[string][]any{
		"order_status":      {"paid", "preparing", "shipping", "delivered", "confirmed", "partially_claimed", "canceled"},
		"item_status":       states,
		"status_changed_to": states,
	} {
		a := s.get(list + name + "=nonsense")
		problem := a.Meta.ErrorData["errors"].([]any)[0].(map[string]any)
		require.Equal(t, allowed, problem["allowed"], name)
		for _, value := range allowed {
			query := fmt.Sprintf("%s=%s", name, value)
			if name == "status_changed_to" {
				query += "&status_changed_at_gte=2026-01-01T00:00:00Z"
			}
			require.Equal(t, http.StatusOK, s.get(list+query).status, query)
		}
	}
}

// The error for a plus sign that became a space in a time explains it.
func TestList_422ExplainsUnescapedPlus(t *testing.T) {
	t.Parallel()
	s := setup(t)
	a := s.get(list + "updated_at_gte=2026-01-01T00:00:00+09:00")
	require.Equal(t, "VALIDATION_ERROR", a.code())
	require.Contains(t, a.body, "%2B")
	require.Equal(t, http.StatusOK, s.get(list+"updated_at_gte=2026-01-01T00:00:00%2B09:00").status)
}

// All combinations of the status-change filter: which are accepted and with which code the others are refused.
func TestList_changeParametersGoTogether(t *testing.T) {
	t.Parallel()
	s := setup(t)
	const to, from, until, before = "status_changed_to=canceled&", "status_changed_at_gte=2026-02-01T00:00:00Z&",
		"status_changed_at_lte=2026-02-01T00:00:00Z&", "status_changed_at_lte=2026-01-31T23:59:59.999999Z&"
	for query, code := range map[string]string{
		"":                    "",
		to + from:             "",
		to + until:            "",
		to + from + until:     "",
		to:                    "STATUS_CHANGED_FILTER_INCOMPLETE",
		from:                  "STATUS_CHANGED_FILTER_INCOMPLETE",
		until:                 "STATUS_CHANGED_FILTER_INCOMPLETE",
		from + until:          "STATUS_CHANGED_FILTER_INCOMPLETE",
		from + before:         "STATUS_CHANGED_FILTER_INCOMPLETE",
		to + from + before:    "STATUS_CHANGED_RANGE_INVALID",
		to + from + "limit=0": "VALIDATION_ERROR",
		from + "limit=0":      "VALIDATION_ERROR",
	} {
		a := s.get(list + query)
		require.Equal(t, code, a.code(), query)
		require.Equal(t, code == "", a.status == http.StatusOK, query)
		require.True(t, a.status == http.StatusOK || a.status == http.StatusUnprocessableEntity)
	}
}

// An order whose items entered the state twice in the range is returned once, and one that has left the state again is found too.
func TestList_changesAreHistory(t *testing.T) {
	t.Parallel()
	s := setup(t)
	back := ordertest.New("BACK", ordertest.Epoch, s.seller)
	back.Parts[0].Lines = lines(1, []order.State{order.Shipping, order.Preparing, order.Shipping, order.Paid},
		[]order.State{order.Shipping})
	s.place(back, ordertest.New("NEVER", ordertest.Epoch, s.seller))
	at := func(hours int) string {
		return url.QueryEscape(timestamp.Format(ordertest.Epoch.Add(time.Duration(hours) * time.Hour)))
	}
	found := func(query string) []string { return s.get(list + query).numbers(t) }
	require.Equal(t, []string{"BACK"}, found("status_changed_to=shipping&status_changed_at_gte="+at(0)))
	require.Equal(t, []string{"BACK"},
		found("status_changed_to=shipping&status_changed_at_gte="+at(3)+"&status_changed_at_lte="+at(3)))
	require.Empty(t, found("status_changed_to=shipping&status_changed_at_gte="+at(4)))
	require.Empty(t, found("status_changed_to=delivered&status_changed_at_gte="+at(0)))
	require.ElementsMatch(t, []string{"BACK", "NEVER"}, found("status_changed_to=paid&status_changed_at_lte="+at(0)))
	require.Equal(t, []string{"BACK"}, found("status_changed_to=paid&status_changed_at_gte="+at(4)))
}

// The number of rows of a page is in its header.
func TestList_countsRows(t *testing.T) {
	t.Parallel()
	s := setup(t)
	require.Equal(t, "0", s.get(list).header.Get(principal.RowsHeader))
	for i := range 3 {
		s.place(ordertest.New("A-"+strconv.Itoa(i), ordertest.Epoch, s.seller))
	}
	require.Equal(t, "3", s.get(list).header.Get(principal.RowsHeader))
	require.Equal(t, "2", s.get(list+"limit=2").header.Get(principal.RowsHeader))
}

// A page has fifty orders unless another number is requested.
func TestList_fiftyPerPageByDefault(t *testing.T) {
	t.Parallel()
	s := setup(t)
	placements := make([]order.Placement, 110)
	for i := range placements {
		placements[i] = ordertest.New(fmt.Sprintf("A-%03d", i), ordertest.Epoch, s.seller)
	}
	s.place(placements...)
	require.Len(t, s.get(list).numbers(t), 50)
	require.Len(t, s.get(list+"limit=100").numbers(t), 100)
	require.Len(t, s.get(list+"limit=1").numbers(t), 1)
}

// Another seller's orders are not in the list, whatever filter is set.
func TestList_onlyOwnOrders(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.place(ordertest.New("CANARY", ordertest.Epoch, uuid.New()), ordertest.New("MINE", ordertest.Epoch, s.seller))
	for _, query := range []string{
		"", "order_no=CANARY", "order_status=paid", "item_status=paid", "paid_at_gte=2020-01-01T00:00:00Z",
		"paid_at_lte=2026-01-01T00:00:00Z", "status_changed_to=paid&status_changed_at_gte=2020-01-01T00:00:00Z",
	} {
		require.NotContains(t, s.get(list+query).body, "CANARY", query)
	}
}
