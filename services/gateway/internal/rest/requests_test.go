package rest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/gateway/internal/ratelimit"
)

type listedRequest struct {
	RequestID   string          `json:"request_id"`
	Key         string          `json:"key"`
	Operation   string          `json:"operation"`
	Record      *string         `json:"record"`
	Status      int             `json:"status"`
	ErrorCode   *string         `json:"error_code"`
	ErrorData   json.RawMessage `json:"error_data"`
	Rows        int             `json:"rows"`
	Idempotency *string         `json:"idempotency"`
}

// listed returns a page of the seller's calls, and the cursor of the next; empty on the last page.
func (b *fixture) listed(t *testing.T, key, query string) ([]listedRequest, string) {
	t.Helper()
	got := b.send(t, reading(key, "/open/v1/requests?"+query))
	require.Equal(t, http.StatusOK, got.status, string(got.body))
	var envelope struct {
		Data struct {
			List       []listedRequest `json:"list"`
			NextCursor *string         `json:"next_cursor"`
		} `json:"data"`
	}
	require.NoError(t, json.Unmarshal(got.body, &envelope))
	require.NotNil(t, envelope.Data.List)
	next := ""
	if envelope.Data.NextCursor != nil {
		next = *envelope.Data.NextCursor
	}
	return envelope.Data.List, next
}

// A key of any scope reads the calls of all keys of its seller, and pays the rows that it gets. Pages together miss none.
func TestRequests_anyKey(t *testing.T) {
	t.Parallel()
	b := begin(t, setting{limits: plenty}, http.HandlerFunc(rows))
	one, text := b.key(t)
	_, inquiries := b.key(t, "qna:read")
	for n := range 5 {
		sent := reading(text, fmt.Sprintf("/open/v1/orders/O-20260301-100%d?status=404", n))
		sent.header.Set("X-Request-Id", fmt.Sprintf("call-%d", n))
		b.send(t, sent)
	}
	b.logged(t, 5)
	whole, next := b.listed(t, inquiries, "")
	require.Empty(t, next)
	require.Len(t, whole, 5)
	require.Equal(t, "call-4", whole[0].RequestID)
	require.Equal(t, one.Prefix, whole[0].Key)
	require.Equal(t, "O-20260301-1004", *whole[0].Record)
	require.Nil(t, whole[0].Idempotency)
	until := "requested_at_lte=" + url.QueryEscape("2100-01-01T00:00:00Z") + "&key=" + one.Prefix
	var walked []string
	for cursor := ""; ; {
		query := until + "&limit=2"
		if cursor != "" {
			query += "&cursor=" + cursor
		}
		var page []listedRequest
		page, cursor = b.listed(t, text, query)
		for _, found := range page {
			walked = append(walked, found.RequestID)
		}
		if cursor == "" {
			break
		}
	}
	slices.Sort(walked)
	require.Equal(t, []string{"call-0", "call-1", "call-2", "call-3", "call-4"}, walked)
	got := b.send(t, reading(inquiries, "/open/v1/requests?limit=3&operation=get_order"))
	require.Empty(t, got.header.Values("X-Rows"))
	require.Eventually(t, func() bool {
		got := b.send(t, reading(inquiries, "/open/v1/requests?operation=ship_order"))
		return got.header.Get("X-RateLimit-Rows-Remaining") == strconv.Itoa(plenty.Rows-5-3)
	}, waitFor, tick)
}

// A filter that selects nothing by its form is refused with its name, and costs no rows; limits apply as to every list.
func TestRequests_422NamesParameter(t *testing.T) {
	t.Parallel()
	b := begin(t, setting{limits: plenty}, nil)
	_, text := b.key(t)
	for query, fields := range map[string]string{
		"operation=ship":              "query.operation",
		"error_code=NOPE":             "query.error_code",
		"error_code=Unavailable":      "query.error_code",
		"key=" + text:                 "query.key",
		"key=":                        "query.key",
		"request_id=":                 "query.request_id",
		"record=":                     "query.record",
		"requested_at_gte=yesterday":  "query.requested_at_gte",
		"requested_at_lte=2026-05-01": "query.requested_at_lte",
		"requested_at_gte=2026-05-02T00:00&requested_at_lte=2026-05-01T00:00": "query.requested_at_gte",
		"limit=0":         "query.limit",
		"after=beginning": "query.after",
		"wait=5":          "query.wait",
		"status=404":      "query.status",
		"seller_id=" + uuid.NewString() + "&limit=ten": "query.seller_id query.limit",
	} {
		got := b.send(t, reading(text, "/open/v1/requests?"+query))
		meta := refused(t, got, http.StatusUnprocessableEntity, "VALIDATION_ERROR")
		var named []string
		for _, problem := range meta.ErrorData["errors"].([]any) {
			named = append(named, problem.(map[string]any)["field"].(string))
		}
		require.ElementsMatch(t, strings.Fields(fields), named, query)
	}
	require.Eventually(t, func() bool {
		got := b.send(t, reading(text, "/open/v1/requests?limit=0"))
		return got.header.Get("X-RateLimit-Rows-Remaining") == strconv.Itoa(plenty.Rows)
	}, waitFor, tick)
	meta := refused(t, b.send(t, reading(text, "/open/v1/requests?cursor=abc")), http.StatusUnprocessableEntity, "INVALID_CURSOR")
	require.Equal(t, "malformed", meta.ErrorData["reason"])
}

// The list counts as a read of its key, whose rows it uses up.
func TestRequests_429(t *testing.T) {
	t.Parallel()
	b := begin(t, setting{limits: filled(ratelimit.Config{Read: 2, Process: 10, Rows: 3000, Timeout: waitFor})}, nil)
	_, text := b.key(t)
	b.listed(t, text, "")
	b.listed(t, text, "")
	meta := refused(t, b.send(t, reading(text, "/open/v1/requests")), http.StatusTooManyRequests, "RATE_LIMITED")
	require.Equal(t, "read", meta.ErrorData["limit"])
}
