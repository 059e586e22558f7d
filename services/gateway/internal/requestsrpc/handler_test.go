package requestsrpc_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway/internal/requestlog"
)

// A call is found by its id in the log and by its request id, with everything that the log has of it. Of calls with one request
// id it is the latest. Another seller's is not found.
func TestGetRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := b.issue(t, b.seller)
	now := time.Now()
	want, earlier := refused(key, now, 7), refused(key, now.AddDate(0, 0, -2), 7)
	b.write(t, want, earlier, read(key, now, 8))
	get := func(seller uuid.UUID, id, requestID string) (*gatewayv1.LoggedRequest, error) {
		request := &gatewayv1.GetRequestRequest{SellerId: seller.String(), Actor: "kim"}
		if id != "" {
			request.Id = &gatewayv1.GetRequestRequest_LogId{LogId: id}
		} else {
			request.Id = &gatewayv1.GetRequestRequest_RequestId{RequestId: requestID}
		}
		answer, err := b.client.GetRequest(t.Context(), request)
		return answer.GetRequest(), err
	}
	found, err := get(b.seller, want.ID.String(), "")
	require.NoError(t, err)
	require.JSONEq(t, string(want.Data), found.GetErrorData())
	same, err := get(b.seller, "", want.RequestID)
	require.NoError(t, err)
	require.Equal(t, found.String(), same.String())
	found.ErrorData = ""
	require.Equal(t, (&gatewayv1.LoggedRequest{
		LogId: want.ID.String(), At: timestamppb.New(want.At), KeyId: key.ID.String(), KeyPrefix: key.Prefix, Operation: "ship_order",
		RequestId: "refused-7", Record: want.Record, Status: 409, ErrorCode: want.Code, Took: durationpb.New(want.Took),
		Idempotency:          gatewayv1.IdempotencyOutcome_IDEMPOTENCY_OUTCOME_REPLAYED,
		IdempotencyKeyDigest: want.KeyDigest, Client: "203.0.113.7", UserAgent: "ERP/1.0",
		TraceId: "30313233343536373839616263646566",
	}).String(), found.String())
	old, err := get(b.seller, earlier.ID.String(), "")
	require.NoError(t, err)
	require.Equal(t, earlier.ID.String(), old.GetLogId())
	for _, test := range []struct {
		seller        uuid.UUID
		id, requestID string
	}{
		{uuid.New(), want.ID.String(), ""},
		{uuid.New(), "", want.RequestID},
		{b.seller, uuid.NewString(), ""},
		{b.seller, "", "nobody"},
		{b.seller, requestlog.IDAt(now, 99).String(), ""},
	} {
		_, err = get(test.seller, test.id, test.requestID)
		require.Equal(t, connect.CodeNotFound, connect.CodeOf(err), test)
		require.ErrorContains(t, err, requestlog.ErrUnknown.Error())
	}
}

// A call is found by its request id alone, with its seller, in whose audit trail the look is; of calls with one request id it is
// the latest of all sellers. One that nobody made is not found.
func TestFindRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := uuid.New()
	b.register(t, other)
	now := time.Now()
	want := refused(b.issue(t, b.seller), now, 7)
	b.write(t, want, read(b.issue(t, b.seller), now, 8))
	find := func(requestID string) (*gatewayv1.FindRequestResponse, error) {
		return b.client.FindRequest(t.Context(), &gatewayv1.FindRequestRequest{RequestId: requestID, Actor: "kim"})
	}
	found, err := find(want.RequestID)
	require.NoError(t, err)
	require.Equal(t, b.seller.String(), found.GetSellerId())
	require.Equal(t, want.ID.String(), found.GetRequest().GetLogId())
	require.Equal(t, want.Code, found.GetRequest().GetErrorCode())
	require.Equal(t, []string{"console kim request_get"}, b.looks(t))

	_, err = find("nobody")
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(err))
	_, err = find("")
	require.Equal(t, connect.CodeInvalidArgument, connect.CodeOf(err))

	later := refused(b.issue(t, other), now.Add(time.Second), 7)
	b.write(t, later)
	found, err = find(want.RequestID)
	require.NoError(t, err)
	require.Equal(t, other.String(), found.GetSellerId())
	require.Equal(t, later.ID.String(), found.GetRequest().GetLogId())
}

// Counts are those of the calls in the time range, by hour, key, operation and outcome; percentiles are times that calls took.
func TestCountRequests(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, two := b.issue(t, b.seller), b.issue(t, b.seller)
	hour := time.Now().UTC().Truncate(time.Hour).Add(-time.Hour)
	entries := make([]requestlog.Entry, 0, 104)
	for n := range 100 {
		entries = append(entries, read(one, hour.Add(time.Duration(n)*time.Second), n))
	}
	entries = append(entries, refused(one, hour, 1), read(two, hour.Add(-time.Second), 1), read(two, hour.Add(time.Hour), 1),
		read(two, hour.Add(-time.Hour-time.Second), 1))
	b.write(t, entries...)
	answer, err := b.client.CountRequests(t.Context(), &gatewayv1.CountRequestsRequest{
		SellerId: b.seller.String(), Actor: "kim", From: timestamppb.New(hour.Add(-time.Hour)),
		Until: timestamppb.New(hour.Add(time.Hour)),
	})
	require.NoError(t, err)
	ms := func(number int) *durationpb.Duration { return durationpb.New(time.Duration(number) * time.Millisecond) }
	want := []*gatewayv1.RequestCount{
		{
			Hour: timestamppb.New(hour.Add(-time.Hour)), KeyId: two.ID.String(), Operation: "list_orders", Status: 200, Calls: 1, Rows: 50,
			P50: ms(2), P95: ms(2),
		},
		{
			Hour: timestamppb.New(hour), KeyId: one.ID.String(), Operation: "list_orders", Status: 200, Calls: 100, Rows: 5000,
			P50: ms(50), P95: ms(95),
		},
		{
			Hour: timestamppb.New(hour), KeyId: one.ID.String(), Operation: "ship_order", Status: 409,
			ErrorCode: "ORDER_ITEM_NOT_SHIPPABLE", Calls: 1, P50: ms(2), P95: ms(2),
		},
	}
	require.Len(t, answer.GetCounts(), len(want))
	for i, count := range answer.GetCounts() {
		require.Equal(t, want[i].String(), count.String())
	}
}

// The last use of a key is its last call, refused or not; a key without calls is listed too.
func TestListKeyUses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	one, two := b.issue(t, b.seller), b.issue(t, b.seller)
	now := time.Now().UTC().Truncate(time.Microsecond)
	b.write(t, read(one, now.AddDate(0, 0, -1), 1), refused(one, now.Add(-time.Minute), 2), read(one, now.Add(-time.Hour), 3))
	answer, err := b.client.ListKeyUses(t.Context(), &gatewayv1.ListKeyUsesRequest{SellerId: b.seller.String(), Actor: "kim"})
	require.NoError(t, err)
	require.Len(t, answer.GetUses(), 2)
	newest, oldest := answer.GetUses()[0], answer.GetUses()[1]
	require.Equal(t, (&gatewayv1.KeyUse{KeyId: two.ID.String(), KeyPrefix: two.Prefix}).String(), newest.String())
	require.Equal(t, one.ID.String(), oldest.GetKeyId())
	require.Equal(t, now.Add(-time.Minute), oldest.GetLastUsedAt().AsTime())
}

// A message that cannot be read is refused with the name of each field, and is no look.
func TestRequests_badInput(t *testing.T) {
	t.Parallel()
	b := setup(t)
	seller, now := b.seller.String(), time.Now()
	list := func(change func(*gatewayv1.ListRequestsRequest)) error {
		request := &gatewayv1.ListRequestsRequest{SellerId: seller, Actor: "kim"}
		change(request)
		_, err := b.client.ListRequests(t.Context(), request)
		return err
	}
	count := func(from, until time.Time) error {
		_, err := b.client.CountRequests(t.Context(), &gatewayv1.CountRequestsRequest{
			SellerId: seller, Actor: "kim", From: timestamppb.New(from), Until: timestamppb.New(until),
		})
		return err
	}
	type request = gatewayv1.ListRequestsRequest
	requireFields(t, list(func(r *request) { r.SellerId, r.Actor = "", " " }), "seller_id", "actor")
	requireFields(t, list(func(r *request) { r.SellerId, r.KeyId, r.After = "x", "y", "z" }), "seller_id", "key_id", "after")
	requireFields(t, list(func(r *request) { r.After = uuid.NewString() }), "after")
	requireFields(t, list(func(r *request) { r.Limit = 101 }), "limit")
	requireFields(t, list(func(r *request) { r.Limit = -1 }), "limit")
	requireFields(t, list(func(r *request) { r.Operation, r.ErrorCode = "list", "NONE" }), "operation", "error_code")
	requireFields(t, list(func(r *request) { r.ErrorCode = string(apierr.Unavailable) }), "error_code")
	requireFields(t, list(func(r *request) { r.RequestId, r.Record = "\x00", strings.Repeat("x", 201) }), "request_id", "record")
	requireFields(t, list(func(r *request) {
		r.From, r.Until = timestamppb.New(now), timestamppb.New(now.Add(-time.Second))
	}), "until")
	requireFields(t, list(func(r *request) { r.From = timestamppb.New(time.Unix(-1, 0)) }), "from")
	_, err := b.client.GetRequest(t.Context(), &gatewayv1.GetRequestRequest{SellerId: seller, Actor: "kim"})
	requireFields(t, err, "log_id")
	_, err = b.client.GetRequest(t.Context(), &gatewayv1.GetRequestRequest{Id: &gatewayv1.GetRequestRequest_RequestId{}})
	requireFields(t, err, "seller_id", "actor", "request_id")
	_, err = b.client.CountRequests(t.Context(), &gatewayv1.CountRequestsRequest{SellerId: seller})
	requireFields(t, err, "actor", "from", "until")
	requireFields(t, count(now, now), "until")
	requireFields(t, count(now, now.Add(7*24*time.Hour+time.Second)), "until")
	_, err = b.client.ListKeyUses(t.Context(), &gatewayv1.ListKeyUsesRequest{})
	requireFields(t, err, "seller_id", "actor")
	_, err = b.client.ListLimitUses(t.Context(), &gatewayv1.ListLimitUsesRequest{})
	requireFields(t, err, "seller_id", "actor")
	require.Empty(t, b.looks(t))
}

func requireFields(t *testing.T, err error, fields ...string) {
	t.Helper()
	require.ErrorIs(t, err, apierr.ValidationError)
	require.Equal(t, connect.CodeInvalidArgument, connect.CodeOf(err))
	listed, _ := apierr.From(err).Data["errors"].([]any)
	named := make([]string, len(listed))
	for i, problem := range listed {
		named[i], _ = problem.(map[string]any)["field"].(string)
	}
	require.Equal(t, fields, named)
}

// everything calls each procedure once.
func (b *fixture) everything(ctx context.Context, client gatewayv1connect.RequestsClient) []error {
	seller, now := b.seller.String(), time.Now()
	_, list := client.ListRequests(ctx, &gatewayv1.ListRequestsRequest{SellerId: seller, Actor: "kim"})
	_, get := client.GetRequest(ctx, &gatewayv1.GetRequestRequest{
		SellerId: seller, Actor: "kim", Id: &gatewayv1.GetRequestRequest_RequestId{RequestId: "x"},
	})
	_, count := client.CountRequests(ctx, &gatewayv1.CountRequestsRequest{
		SellerId: seller, Actor: "kim", From: timestamppb.New(now.Add(-time.Hour)), Until: timestamppb.New(now),
	})
	_, uses := client.ListKeyUses(ctx, &gatewayv1.ListKeyUsesRequest{SellerId: seller, Actor: "kim"})
	_, limits := client.ListLimitUses(ctx, &gatewayv1.ListLimitUsesRequest{SellerId: seller, Actor: "kim"})
	return []error{list, get, count, uses, limits}
}

// Each look is in the audit trail with its author, also one that finds nothing. One that cannot be recorded shows nothing.
func TestRequests_looksAreAudited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	errs := b.everything(t.Context(), b.client)
	require.Equal(t, connect.CodeNotFound, connect.CodeOf(errs[1]))
	require.Equal(t, []error{nil, nil, nil, nil}, []error{errs[0], errs[2], errs[3], errs[4]})
	require.Equal(t, []string{
		"console kim request_list", "console kim request_get", "console kim request_count", "console kim key_uses",
		"console kim limit_uses",
	}, b.looks(t))
	_, err := b.DB.Pool.Exec(t.Context(), "alter table key_audit rename to elsewhere")
	require.NoError(t, err)
	for _, err := range b.everything(t.Context(), b.client) {
		require.Equal(t, connect.CodeInternal, connect.CodeOf(err))
	}
}

// Systems that may not read the log of a seller are refused, and the audit trail has their tries.
func TestRequests_needPermission(t *testing.T) {
	t.Parallel()
	b := setup(t)
	stranger := gatewayv1connect.NewRequestsClient(http.DefaultClient, b.URL)
	for _, caller := range []string{rpc.CallerClaims, rpc.CallerPayments, rpc.CallerStorefront, rpc.CallerLoad, "kim"} {
		ctx, sent := connect.NewClientContext(t.Context())
		sent.RequestHeader().Set("Authorization", "Bearer "+rpctest.Token(t, caller, "gateway"))
		for _, err := range b.everything(ctx, stranger) {
			require.Equal(t, connect.CodePermissionDenied, connect.CodeOf(err), caller)
		}
		looks := b.looks(t)
		require.Equal(t, []string{
			caller + " kim request_list_refused", caller + " kim request_get_refused", caller + " kim request_count_refused",
			caller + " kim key_uses_refused", caller + " kim limit_uses_refused",
		}, looks[len(looks)-5:])
	}
}
