package requestsrpc_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/gateway/internal/requestlog"
)

// Each filter selects the calls that it names, and no call of another seller.
func TestListRequests_filters(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, two := b.issue(t, b.seller), b.issue(t, b.seller)
	other := uuid.New()
	b.register(t, other)
	foreign := b.issue(t, other)
	now := time.Now().UTC().Truncate(time.Microsecond)
	hour := now.Add(-time.Hour)
	b.write(t, read(one, now, 1), read(one, hour, 2), refused(two, hour, 3), refused(two, now.Add(-2*time.Hour), 4),
		read(foreign, now, 1), refused(foreign, hour, 3))
	type request = gatewayv1.ListRequestsRequest
	for name, test := range map[string]struct {
		set  func(*request)
		want string
	}{
		"all":              {func(*request) {}, "read-1 refused-3 read-2 refused-4"},
		"from":             {func(r *request) { r.From = timestamppb.New(hour) }, "read-1 refused-3 read-2"},
		"until":            {func(r *request) { r.Until = timestamppb.New(hour) }, "refused-3 read-2 refused-4"},
		"an instant":       {func(r *request) { r.From, r.Until = timestamppb.New(hour), timestamppb.New(hour) }, "refused-3 read-2"},
		"key":              {func(r *request) { r.KeyId = one.ID.String() }, "read-1 read-2"},
		"prefix":           {func(r *request) { r.KeyPrefix = two.Prefix }, "refused-3 refused-4"},
		"operation":        {func(r *request) { r.Operation = "list_orders" }, "read-1 read-2"},
		"code":             {func(r *request) { r.ErrorCode = "ORDER_ITEM_NOT_SHIPPABLE" }, "refused-3 refused-4"},
		"other code":       {func(r *request) { r.ErrorCode = "ORDER_NOT_FOUND" }, ""},
		"request id":       {func(r *request) { r.RequestId = "refused-3" }, "refused-3"},
		"record":           {func(r *request) { r.Record = "O-20260301-000004" }, "refused-4"},
		"several":          {func(r *request) { r.KeyId, r.Until = one.ID.String(), timestamppb.New(hour) }, "read-2"},
		"key of another":   {func(r *request) { r.KeyId = foreign.ID.String() }, ""},
		"prefix of that":   {func(r *request) { r.KeyPrefix = foreign.Prefix }, ""},
		"unknown seller":   {func(r *request) { r.SellerId = uuid.NewString() }, ""},
		"seller and limit": {func(r *request) { r.SellerId, r.Limit = other.String(), 1 }, "read-1"},
	} {
		request := &request{SellerId: b.seller.String(), Actor: "kim"}
		test.set(request)
		answer, err := b.client.ListRequests(t.Context(), request)
		require.NoError(t, err, name)
		got := make([]string, 0, 4)
		for _, found := range answer.GetRequests() {
			got = append(got, found.GetRequestId())
		}
		require.Equal(t, test.want, strings.Join(got, " "), name)
	}
}

// Pages show every call once, whatever their length, also among calls of one microsecond and while calls are written.
func TestListRequests_pages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := b.issue(t, b.seller)
	now := time.Now()
	entries := make([]requestlog.Entry, 0, 120)
	for n := range cap(entries) {
		entries = append(entries, read(key, now.Add(-time.Duration(n/4)*time.Hour), n))
	}
	b.write(t, entries...)
	for limit, pages := range map[int32]int{1: 120, 7: 18, 0: 3, 60: 2, 100: 2} {
		seen, after, read := map[string]bool{}, "", 0
		for more := true; more; read++ {
			page := b.list(t, func(r *gatewayv1.ListRequestsRequest) {
				r.Limit, r.After, r.Until = limit, after, timestamppb.New(now)
			})
			for _, found := range page.GetRequests() {
				require.False(t, seen[found.GetLogId()])
				seen[found.GetLogId()] = true
			}
			after = page.GetNext()
			more = after != ""
		}
		require.Len(t, seen, len(entries), limit)
		require.Equal(t, pages, read, limit)
		b.write(t, refused(key, time.Now(), int(1000+limit)))
	}
}
