package requestsrpc_test

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/redis/redistest"
	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/consoletest"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/ratelimit"
	"sellerapi.dev/services/gateway/internal/requestlog"
	"sellerapi.dev/services/gateway/internal/requestsrpc"
)

var kim = audit.Author{Caller: "console", Actor: "kim"}

type fixture struct {
	*consoletest.Gateway

	keys   *apikey.Keys
	seller uuid.UUID
	client gatewayv1connect.RequestsClient

	redis    *redistest.Server
	admitter *admission.Admitter
}

func setup(t *testing.T) *fixture {
	t.Helper()
	server := redistest.New(t, admission.Scripts()...)
	admitter := admission.New(server.Client, ratelimit.Config{Read: 60, Rows: 3000, Process: 30, Timeout: time.Minute},
		idempotency.Config{})
	g := consoletest.New(t, func(g *consoletest.Gateway, option connect.HandlerOption) (string, http.Handler) {
		return gatewayv1connect.NewRequestsHandler(requestsrpc.New(g.Store, admitter), option)
	})
	b := &fixture{
		Gateway: g, redis: server, admitter: admitter, seller: uuid.New(),
		client: gatewayv1connect.NewRequestsClient(g.Console.HTTP, g.URL, g.Console.Options),
		keys: apikey.NewKeys(g.Texts, g.Vault, g.Store, apikey.DefaultLimits,
			func(context.Context, apikey.Key) error { return nil }),
	}
	b.register(t, b.seller)
	return b
}

func (b *fixture) register(t *testing.T, seller uuid.UUID) {
	t.Helper()
	require.NoError(t, b.Store.RegisterSeller(t.Context(), apikey.RegisterRequest{SellerID: seller, Name: "S", Author: kim}))
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
		TraceID: []byte("0123456789abcdef"),
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
	require.NoError(t, b.Store.WriteRequests(t.Context(), entries))
}

func (b *fixture) list(t *testing.T, change func(*gatewayv1.ListRequestsRequest)) *gatewayv1.ListRequestsResponse {
	t.Helper()
	request := &gatewayv1.ListRequestsRequest{SellerId: b.seller.String(), Actor: "kim"}
	change(request)
	answer, err := b.client.ListRequests(t.Context(), request)
	require.NoError(t, err)
	return answer
}

// looks returns the entries of the audit trail about the request log.
func (b *fixture) looks(t *testing.T) (actions []string) {
	t.Helper()
	for _, entry := range b.Trail(t) {
		if entry.Action != audit.Registered && entry.Action != audit.Issued {
			require.Equal(t, b.seller, *entry.SellerID)
			actions = append(actions, entry.Author.Caller+" "+entry.Author.Actor+" "+string(entry.Action))
		}
	}
	return actions
}
