package e2e

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/gateway"
)

const requestsPath = "/open/v1/requests"

// listedRequest is an element of the list of calls.
type listedRequest struct {
	RequestedAt string          `json:"requested_at"`
	RequestID   string          `json:"request_id"`
	Key         string          `json:"key"`
	Operation   string          `json:"operation"`
	Record      *string         `json:"record"`
	Query       *string         `json:"query"`
	Status      int             `json:"status"`
	ErrorCode   *string         `json:"error_code"`
	ErrorData   json.RawMessage `json:"error_data"`
	Rows        int             `json:"rows"`
	DurationMS  int             `json:"duration_ms"`
	Idempotency *string         `json:"idempotency"`
}

// pageOfRequests returns a page of the calls of a key's seller with the cursor of the next one; empty on the last page.
func pageOfRequests(t *testing.T, s *stacktest.Stack, key string, query ...string) (list []listedRequest, next string) {
	t.Helper()
	answer := s.Do(t, stacktest.Get(key, requestsPath, query...))
	require.Equal(t, http.StatusOK, answer.Status, string(answer.Body))
	var data struct {
		List       []listedRequest `json:"list"`
		NextCursor *string         `json:"next_cursor"`
	}
	require.NoError(t, json.Unmarshal(answer.Data, &data))
	if data.NextCursor != nil {
		next = *data.NextCursor
	}
	return data.List, next
}

// listed returns the calls on the first page.
func listed(t *testing.T, s *stacktest.Stack, key string, query ...string) []listedRequest {
	t.Helper()
	list, _ := pageOfRequests(t, s, key, query...)
	return list
}

// awaitListed returns the calls that the filters choose, once there are so many.
func (d *session) awaitListed(t *testing.T, calls int, query ...string) (list []listedRequest) {
	t.Helper()
	stacktest.Await(t, "the calls are in the request log", func() bool {
		list = listed(t, d.Stack, d.seller.Key, query...)
		return len(list) >= calls
	})
	require.Len(t, list, calls)
	return list
}

// A seller finds why its call was refused by the number of the order, with any of its keys, and by every other filter.
func TestListRequests_everyFilter(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	began := time.Now().Add(-time.Minute)
	orderNo, ids := d.place(t)
	early := d.client.Do(t, stacktest.PostJSON(t, "", "/open/v1/orders/"+orderNo+"/delivery", of(ids...)))
	stacktest.RequireFailure(t, early, http.StatusConflict, "ORDER_ITEM_NOT_DELIVERABLE")
	call := stacktest.PostJSON(t, "", "/open/v1/orders/"+orderNo+"/preparation", of(ids...))
	d.client.Do(t, call)
	d.client.Do(t, call)
	other, _ := d.IssueKey(t, d.seller.ID, "qna:read")
	d.Do(t, stacktest.Get(other, "/open/v1/qna", "status", "waiting"))
	d.awaitListed(t, 1, "operation", "list_inquiries")
	list := d.awaitListed(t, 3, "record", orderNo)
	refused := list[2]
	require.Equal(t, early.Header.Get("X-Request-Id"), refused.RequestID)
	require.Equal(t, []any{"deliver_order", orderNo, "ORDER_ITEM_NOT_DELIVERABLE", "first", http.StatusConflict, 0},
		[]any{
			refused.Operation, *refused.Record, *refused.ErrorCode, *refused.Idempotency, refused.Status, refused.Rows,
		})
	require.JSONEq(t, `{"items":[{"item_id":"`+ids[0]+`","item_status":"paid"}]}`, string(refused.ErrorData))
	require.Equal(t, "replayed", *list[0].Idempotency)
	require.Nil(t, list[0].ErrorCode)
	require.Equal(t, list, listed(t, d.Stack, other, "record", orderNo), "with a key of any scope")
	at := func(offset time.Duration) string { return began.Add(offset).UTC().Format(time.RFC3339Nano) }
	for name, test := range map[string]struct {
		query []string
		want  int
	}{
		"record and code":      {[]string{"record", orderNo, "error_code", "ORDER_ITEM_NOT_DELIVERABLE"}, 1},
		"record and operation": {[]string{"record", orderNo, "operation", "prepare_order"}, 2},
		"request id":           {[]string{"request_id", refused.RequestID}, 1},
		"key":                  {[]string{"key", other[:12], "operation", "list_inquiries"}, 1},
		"other key":            {[]string{"key", d.seller.Key[:12], "operation", "list_inquiries"}, 0},
		"since":                {[]string{"record", orderNo, "requested_at_gte", at(0)}, 3},
		"an instant": {[]string{
			"record", orderNo, "requested_at_gte", refused.RequestedAt, "requested_at_lte", refused.RequestedAt,
		}, 1},
		"before":         {[]string{"requested_at_lte", at(-time.Hour)}, 0},
		"no such record": {[]string{"record", uuid.NewString()}, 0},
	} {
		require.Len(t, listed(t, d.Stack, d.seller.Key, test.query...), test.want, name)
	}
	inquiries := listed(t, d.Stack, other, "operation", "list_inquiries")
	require.Equal(t, "status=waiting", *inquiries[0].Query)
	require.Nil(t, inquiries[0].Record)
}

// Whoever asks, no call of another seller is in the list, and neither its filters nor its cursors lead to one.
func TestListRequests_otherSellers(t *testing.T) {
	t.Parallel()
	d, b := openSession(t), openSession(t)
	canary := "O-20260301-" + strings.ToUpper(uuid.NewString()[:8])
	for range 2 {
		b.client.Do(t, stacktest.Get("", "/open/v1/orders/"+canary))
	}
	theirs := b.awaitListed(t, 2, "record", canary)
	_, cursor := pageOfRequests(t, b.Stack, b.seller.Key, "limit", "1")
	require.NotEmpty(t, cursor)
	for _, query := range [][]string{
		{"record", canary},
		{"request_id", theirs[0].RequestID},
		{"key", b.seller.Key[:12], "operation", "get_order"},
		{"operation", "get_order"},
		{"error_code", "ORDER_NOT_FOUND"},
	} {
		require.Empty(t, listed(t, d.Stack, d.seller.Key, query...), query)
	}
	for _, one := range listed(t, d.Stack, d.seller.Key) { // the calls above, with the numbers that they asked for
		require.Equal(t, d.seller.Key[:12], one.Key)
		require.Nil(t, one.Record)
	}
	requireInvalidCursor(t, d.Do(t, stacktest.Get(d.seller.Key, requestsPath, "cursor", cursor)), "malformed")
}

// Pages show every call once, in the same order whatever their length, and each costs its rows. The cursor belongs to its
// filters.
func TestListRequests_pages(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for range 7 {
		d.client.Do(t, stacktest.Get("", "/open/v1/orders/N-20260301-1001"))
	}
	whole := d.awaitListed(t, 7, "record", "N-20260301-1001")
	for _, limit := range []string{"1", "3", "7", "100"} {
		var walked []listedRequest
		query := []string{"record", "N-20260301-1001", "limit", limit}
		for {
			page, cursor := pageOfRequests(t, d.Stack, d.seller.Key, query...)
			walked = append(walked, page...)
			if cursor == "" {
				break
			}
			query = []string{"limit", limit, "cursor", cursor}
		}
		require.Equal(t, whole, walked, limit)
	}
	_, cursor := pageOfRequests(t, d.Stack, d.seller.Key, "record", "N-20260301-1001", "limit", "2")
	changed := d.Do(t, stacktest.Get(d.seller.Key, requestsPath, "record", "N-20260301-1002", "cursor", cursor))
	requireInvalidCursor(t, changed, "filters_changed")
	fresh, _ := d.IssueKey(t, d.seller.ID, "claims:read")
	require.Len(t, listed(t, d.Stack, fresh, "record", "N-20260301-1001", "limit", "5"), 5)
	stacktest.Await(t, "the rows of the page are charged", func() bool {
		answer := d.Do(t, stacktest.Get(fresh, requestsPath, "record", "N-20260301-9999", "limit", "1"))
		return answer.Header.Get("X-Ratelimit-Rows-Remaining") == "2995"
	})
	stacktest.RequireFailure(t, d.Do(t, stacktest.Get("", requestsPath)), http.StatusUnauthorized, "API_KEY_REQUIRED")
}

// A filter that no call could match by its form is refused with its name, and so is one that the list does not have.
func TestListRequests_422(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for query, field := range map[string]string{
		"operation=ship": "query.operation", "error_code=nope": "query.error_code", "key=" + d.seller.Key: "query.key",
		"request_id=": "query.request_id", "record=": "query.record", "requested_at_gte=x": "query.requested_at_gte",
		"requested_at_lte=x": "query.requested_at_lte", "limit=101": "query.limit", "after=beginning": "query.after",
		"wait=1": "query.wait", "status=409": "query.status",
	} {
		call := stacktest.Get("", requestsPath)
		call.Path += "?" + query
		stacktest.RequireInvalid(t, d.client.Do(t, call), field)
	}
}

// Without the request log its path is unknown, as any other.
func TestListRequests_logOff(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	off := d.Through(t, func(config *gateway.Config) { config.Requests.Log = "off" })
	answer := off.Once(t, stacktest.Get(d.seller.Key, requestsPath))
	stacktest.RequireFailure(t, answer, http.StatusNotFound, "")
	require.NotContains(t, answer.Meta.Message, requestsPath)
}

// While the log cannot be read its list says so, and every other call is answered.
func TestListRequests_logAway(t *testing.T) {
	t.Parallel()
	s := stacktest.Own(t, func(*stack.Config) {})
	seller := s.Seller(t)
	read := stacktest.Get(seller.Key, requestsPath)
	require.Equal(t, http.StatusOK, s.Once(t, read).Status)
	database := s.SQL(t)
	exec := func(sql string) {
		_, err := database.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
	}
	requireAway := func(status int) {
		stacktest.RequireFailure(t, s.Once(t, read), status, "")
		require.Equal(t, http.StatusOK, s.Once(t, stacktest.Get(seller.Key, "/open/v1/orders")).Status)
	}
	exec("begin")
	exec("lock table gateway.requests in access exclusive mode")
	requireAway(http.StatusGatewayTimeout)
	exec("rollback")
	exec("alter table gateway.requests rename to requests_kept")
	requireAway(http.StatusInternalServerError)
	exec(`create function gateway.is_full() returns boolean language plpgsql stable as
		$$ begin raise exception 'no space left' using errcode = 'disk_full'; end $$`)
	exec("create view gateway.requests as select * from gateway.requests_kept where gateway.is_full()")
	exec("grant select on gateway.requests to public")
	requireAway(http.StatusServiceUnavailable)
}
