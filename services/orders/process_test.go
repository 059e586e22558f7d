package orders_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/principal/principaltest"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/web"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/services/orders"
)

type seller struct {
	t    *testing.T
	id   uuid.UUID
	base string
}

func (s *seller) call(method, path, body string) string {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.base+path, strings.NewReader(body))
	require.NoError(s.t, err)
	who := principal.Principal{SellerID: s.id, KeyID: "k", KeyPrefix: "vpk_test_abc", Scopes: principal.All()}
	if method == http.MethodPost {
		request.Header.Set(inbox.Header, inbox.FormatHeader(inbox.Digest(uuid.New()), inbox.Fingerprint(uuid.New())))
	}
	principaltest.Sign(s.t, trust.Orders, request, who)
	response, err := http.DefaultClient.Do(request)
	require.NoError(s.t, err)
	defer func() { require.NoError(s.t, response.Body.Close()) }()
	content, err := io.ReadAll(response.Body)
	require.NoError(s.t, err)
	require.Equal(s.t, http.StatusOK, response.StatusCode, string(content))
	var envelope web.Envelope
	require.NoError(s.t, json.Unmarshal(content, &envelope))
	return string(envelope.Data)
}

type ports struct {
	*seller
	intake ordersv1connect.IntakeClient
	claims ordersv1connect.ClaimLinesClient
}

func open(t *testing.T, settings orders.Config) *ports {
	t.Helper()
	require.NoError(t, orders.Schema.Migrate(t.Context(), settings.Postgres))
	addresses := start(t, settings)
	calls := map[string]*rpc.Client{}
	for _, caller := range []string{rpc.CallerMarketplace, rpc.CallerClaims} {
		calls[caller] = rpctest.Client(t, caller, "orders", settings.RPC)
	}
	market, claims := calls[rpc.CallerMarketplace], calls[rpc.CallerClaims]
	return &ports{
		seller: &seller{t: t, id: uuid.New(), base: "http://" + addresses["public"]},
		intake: ordersv1connect.NewIntakeClient(market.HTTP, "http://"+addresses["rpc"], market.Options),
		claims: ordersv1connect.NewClaimLinesClient(claims.HTTP, "http://"+addresses["rpc"], claims.Options),
	}
}

// place places a paid order of the seller with items of these ids, two pieces each.
func (p *ports) place(number string, ids ...string) {
	p.t.Helper()
	part := &ordersv1.SellerPart{SellerId: p.id.String()}
	for _, id := range ids {
		part.Lines = append(part.Lines, &ordersv1.Line{ItemId: id, ProductName: "양말", Quantity: 2, UnitPrice: 1000})
	}
	_, err := p.intake.PlaceOrders(p.t.Context(), &ordersv1.PlaceOrdersRequest{Orders: []*ordersv1.Order{{
		OrderNo: number, MemberId: "m", Currency: "KRW", PaidAt: timestamppb.New(time.Now().Add(-time.Minute)),
		Contact: &ordersv1.Contact{OrdererName: "김민준"}, Sellers: []*ordersv1.SellerPart{part},
	}}})
	require.NoError(p.t, err)
}

// The whole life of an order over the real ports: placed, prepared, shipped, delivered; one item is returned by a claim, the
// purchase of the other one confirms itself.
func TestRun_orderLifeThroughRealPorts(t *testing.T) {
	t.Parallel()
	settings := config(t)
	settings.ConfirmAfter, settings.ConfirmAfterClaim = 10*time.Second, time.Second
	p := open(t, settings)
	number, ids := strings.ToUpper(uuid.NewString()), []string{uuid.NewString(), uuid.NewString()}
	p.place(number, ids...)

	path := "/open/v1/orders/" + number
	items := fmt.Sprintf(`"item_ids":[%q,%q]`, ids[0], ids[1])
	shipment := items + `,"carrier_name":"한진택배","tracking_no":"412345678901"`
	require.Contains(t, p.call(http.MethodPost, path+"/preparation", "{"+items+"}"), `"order_status":"preparing"`)
	batch := p.call(http.MethodPost, "/open/v1/orders/batch/shipment",
		fmt.Sprintf(`{"items":[{"order_no":%q,%s}]}`, number, shipment))
	require.Contains(t, batch, `"summary":{"succeeded":2,"failed":0}`)
	require.Contains(t, p.call(http.MethodPost, path+"/shipment", "{"+shipment+"}"), `"already_done":true`)
	require.Contains(t, p.call(http.MethodPost, path+"/delivery", "{"+items+"}"), `"order_status":"delivered"`)

	_, err := p.claims.Open(t.Context(), &ordersv1.OpenRequest{
		ClaimNo: number + "-C", Type: ordersv1.ClaimType_CLAIM_TYPE_RETURN, SellerId: p.id.String(), OrderNo: number,
		Lines: []*ordersv1.ClaimedLine{{ItemId: ids[0], Quantity: 2}},
	})
	require.NoError(t, err)
	_, err = p.claims.Settle(t.Context(), &ordersv1.SettleRequest{ClaimNo: number + "-C"})
	require.NoError(t, err)
	_, err = p.intake.ForgetMember(t.Context(), &ordersv1.ForgetMemberRequest{MemberId: "m"})
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		return strings.Contains(p.call(http.MethodGet, path, ""), `"item_status":"confirmed"`)
	}, time.Minute, 50*time.Millisecond)
	for _, member := range []string{`"item_status":"returned"`, `"order_status":"partially_claimed"`, `"orderer_name":null`} {
		require.Contains(t, p.call(http.MethodGet, path, ""), member)
	}
}
