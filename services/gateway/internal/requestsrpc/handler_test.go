package requestsrpc_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust/trusttest"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/keysrpc"
	"sellerapi.dev/services/gateway/internal/requestlog"
	"sellerapi.dev/services/gateway/internal/requestsrpc"
	"sellerapi.dev/services/gateway/internal/store"
)

var kim = audit.Author{Caller: "console", Actor: "kim"}

type fixture struct {
	db     *pgtest.DB
	store  *store.Store
	keys   *apikey.Keys
	url    string
	seller uuid.UUID
	client gatewayv1connect.RequestsClient
}

func setup(t *testing.T) *fixture {
	t.Helper()
	shared, err := secret.NewKeys(bytes.Repeat([]byte("r"), secret.MinKeyBytes))
	require.NoError(t, err)
	texts, err := apikey.NewTexts(apikey.Live, shared)
	require.NoError(t, err)
	keyset, err := apikey.NewKeyset()
	require.NoError(t, err)
	vault, err := apikey.NewVault(keyset)
	require.NoError(t, err)
	db := pgtest.New(t, store.Migrations())
	tel := telemetrytest.ForTest(t)
	config := rpc.Config{Timeout: 20 * time.Second}
	mux, err := rpc.NewMux("gateway", trusttest.Keys(), config, tel)
	require.NoError(t, err)
	kept := store.New(db.Pool)
	mux.Handle(gatewayv1connect.NewRequestsHandler(requestsrpc.New(kept),
		mux.Options(keysrpc.NewRecorder(kept.RecordRefusal, tel.Logger))))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	client := rpctest.Client(t, rpc.CallerConsole, "gateway", config)
	b := &fixture{
		db: db, store: kept, url: server.URL, seller: uuid.New(),
		keys: apikey.NewKeys(texts, vault, kept, apikey.DefaultLimits,
			func(context.Context, apikey.Key) error { return nil }),
		client: gatewayv1connect.NewRequestsClient(client.HTTP, server.URL, client.Options),
	}
	b.register(t, b.seller)
	return b
}

func (b *fixture) register(t *testing.T, seller uuid.UUID) {
	t.Helper()
	require.NoError(t, b.store.RegisterSeller(t.Context(), apikey.RegisterRequest{SellerID: seller, Name: "S", Author: kim}))
}

func (b *fixture) issue(t *testing.T, seller uuid.UUID) apikey.Key {
	t.Helper()
	key, _, err := b.keys.Issue(t.Context(), apikey.IssueRequest{
		SellerID: seller, Scopes: []principal.Scope{"orders:read"}, Author: kim, RequestID: uuid.New(),
	})
	require.NoError(t, err)
	return key
}

// read returns the entry of a read of a list.
func read(key apikey.Key, at time.Time, number int) requestlog.Entry {
	at = at.UTC().Truncate(time.Microsecond)
	return requestlog.Entry{
		SellerID: key.SellerID, At: at, ID: requestlog.IDAt(at, uint64(number)<<2), KeyID: key.ID, //nolint:gosec // small
		Took: time.Duration(number+1) * time.Millisecond, Status: 200, Rows: 50, Operation: "list_orders",
		RequestID: fmt.Sprintf("read-%d", number), Query: "limit=50", Client: netip.MustParseAddr("203.0.113.7"), UserAgent: "ERP/1.0",
	}
}

// refused returns the entry of a refused process call.
func refused(key apikey.Key, at time.Time, number int) requestlog.Entry {
	entry := read(key, at, number)
	entry.Operation, entry.RequestID, entry.Query = "ship_order", fmt.Sprintf("refused-%d", number), ""
	entry.Record = fmt.Sprintf("O-20260301-%06d", number)
	entry.Status, entry.Code, entry.Rows = 409, "ORDER_ITEM_NOT_SHIPPABLE", 0
	entry.Data = []byte(`{"items":[{"item_id":"0195a0b1-0000-7000-8000-000000000001","item_status":"delivered"}]}`)
	entry.Idempotency, entry.KeyDigest = requestlog.Replayed, []byte("12345678")
	return entry
}

func (b *fixture) write(t *testing.T, entries ...requestlog.Entry) {
	t.Helper()
	require.NoError(t, b.store.WriteRequests(t.Context(), entries))
}

func (b *fixture) list(t *testing.T, change func(*gatewayv1.ListRequestsRequest)) *gatewayv1.ListRequestsResponse {
	t.Helper()
	request := &gatewayv1.ListRequestsRequest{SellerId: b.seller.String(), Actor: "kim"}
	change(request)
	answer, err := b.client.ListRequests(t.Context(), request)
	require.NoError(t, err)
	return answer
}

func codeOf(t *testing.T, err error) connect.Code {
	t.Helper()
	var received *connect.Error
	require.ErrorAs(t, err, &received)
	return received.Code()
}

// looks returns the entries of the audit trail about the request log.
func (b *fixture) looks(t *testing.T) (actions []string) {
	t.Helper()
	var chain audit.Chain
	for entry, err := range b.store.Trail(t.Context(), 0) {
		require.NoError(t, err)
		require.NoError(t, chain.Add(entry))
		if entry.Action != audit.Registered && entry.Action != audit.Issued {
			require.Equal(t, b.seller, *entry.SellerID)
			actions = append(actions, entry.Author.Caller+" "+entry.Author.Actor+" "+string(entry.Action))
		}
	}
	return actions
}

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
		require.Equal(t, connect.CodeNotFound, codeOf(t, err), test)
		require.ErrorContains(t, err, requestlog.ErrUnknown.Error())
	}
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
	require.Empty(t, b.looks(t))
}

func requireFields(t *testing.T, err error, fields ...string) {
	t.Helper()
	require.ErrorIs(t, err, apierr.ValidationError)
	require.Equal(t, connect.CodeInvalidArgument, codeOf(t, err))
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
	return []error{list, get, count, uses}
}

// Each look is in the audit trail with its author, also one that finds nothing. One that cannot be recorded shows nothing.
func TestRequests_looksAreAudited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	errs := b.everything(t.Context(), b.client)
	require.Equal(t, connect.CodeNotFound, codeOf(t, errs[1]))
	require.Equal(t, []error{nil, nil, nil}, []error{errs[0], errs[2], errs[3]})
	require.Equal(t, []string{
		"console kim request_list", "console kim request_get", "console kim request_count", "console kim key_uses",
	}, b.looks(t))
	_, err := b.db.Pool.Exec(t.Context(), "alter table key_audit rename to elsewhere")
	require.NoError(t, err)
	for _, err := range b.everything(t.Context(), b.client) {
		require.Equal(t, connect.CodeInternal, codeOf(t, err))
	}
}

// Systems that may not read the log of a seller are refused, and the audit trail has their tries.
func TestRequests_needPermission(t *testing.T) {
	t.Parallel()
	b := setup(t)
	stranger := gatewayv1connect.NewRequestsClient(http.DefaultClient, b.url)
	for _, caller := range []string{rpc.CallerClaims, rpc.CallerPayments, rpc.CallerStorefront, rpc.CallerLoad, "kim"} {
		ctx, sent := connect.NewClientContext(t.Context())
		sent.RequestHeader().Set("Authorization", "Bearer "+rpctest.Token(t, caller, "gateway"))
		for _, err := range b.everything(ctx, stranger) {
			require.Equal(t, connect.CodePermissionDenied, connect.CodeOf(err), caller)
		}
		looks := b.looks(t)
		require.Equal(t, []string{
			caller + " kim request_list_refused", caller + " kim request_get_refused", caller + " kim request_count_refused",
			caller + " kim key_uses_refused",
		}, looks[len(looks)-4:])
	}
}
