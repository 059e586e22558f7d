package intake_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/changes"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/pkg/trust/trusttest"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/intake"
	"sellerapi.dev/services/claims/internal/lines"
	"sellerapi.dev/services/claims/internal/refund"
	"sellerapi.dev/services/claims/internal/rest"
	"sellerapi.dev/services/claims/internal/saga"
	"sellerapi.dev/services/claims/internal/store"
	"sellerapi.dev/services/orders/orderstest"
)

type fixture struct {
	*pgtest.DB
	store  *store.Store
	orders *orderstest.Orders
	client claimsv1connect.IntakeClient
	// changes is the client of the marketplace's way back.
	changes claimsv1connect.ChangesClient
	url     string
	seller  uuid.UUID
}

func setup(t *testing.T, embedded refund.EmbeddedConfig) *fixture {
	t.Helper()
	tel, config := telemetrytest.Discard(t), rpc.Config{Timeout: 30 * time.Second}
	b := &fixture{DB: pgtest.New(t, store.Migrations()), orders: orderstest.New(t), seller: uuid.New()}
	b.store = store.New(b.AsService(t))
	client, err := lines.New(lines.Config{URL: b.orders.Serve(t), Timeout: 10 * time.Second}, config,
		rpctest.As(rpc.CallerClaims, "orders"), tel)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	provider, err := refund.Open(refund.Config{Embedded: embedded})
	require.NoError(t, err)
	carried := saga.New(saga.Options{
		Claims: b.store, Lines: client, Provider: provider, Telemetry: tel, Periods: claim.DefaultPeriods(), Inline: 20 * time.Second,
	})
	mux, err := rpc.NewMux("claims", trusttest.Keys(), config, tel)
	require.NoError(t, err)
	mux.Handle(claimsv1connect.NewIntakeHandler(intake.New(carried, b.store), mux.Options()))
	cursors, err := paging.NewSigner(make([]byte, 32))
	require.NoError(t, err)
	api := rest.API{Claims: b.store, Cursors: cursors}
	mux.Handle(claimsv1connect.NewChangesHandler(&intake.Changes{
		Claims: b.store, List: api.Changes(), Sellers: changes.Sellers{Cursors: cursors, Changed: b.store.Changed},
	}, mux.Options()))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	settings := rpctest.Client(t, rpc.CallerMarketplace, "claims", config)
	b.client, b.url = claimsv1connect.NewIntakeClient(settings.HTTP, server.URL, settings.Options), server.URL
	b.changes = claimsv1connect.NewChangesClient(settings.HTTP, server.URL, settings.Options)
	return b
}

// must makes a call twice, which must succeed both times.
func must[Request, Response any](t *testing.T, procedure func(context.Context,
	*Request) (*Response, error), message *Request,
) *Response {
	t.Helper()
	first, err := procedure(t.Context(), message)
	require.NoError(t, err)
	again, err := procedure(t.Context(), message)
	require.NoError(t, err)
	require.Equal(t, first, again, "a repetition changes nothing")
	return first
}

func (b *fixture) request(kind, status string) *claimsv1.RequestClaimRequest {
	no := strings.ToUpper(uuid.NewString())
	return &claimsv1.RequestClaimRequest{
		ClaimNo: "C-" + no, SellerId: b.seller.String(), OrderNo: "O-" + no, Type: kind, ReasonCode: "defective",
		Items: []*claimsv1.ClaimItem{{ItemId: b.orders.Place(b.seller, "O-"+no, status, 3)[0].String(), Quantity: 2}},
	}
}

func (b *fixture) exchange(price int64) *claimsv1.RequestClaimRequest {
	request := b.request("exchange", "delivered")
	request.Items[0].ExchangeOptionName, request.Items[0].ExchangeUnitPrice = "파랑 / L", price
	return request
}

func (b *fixture) act(t *testing.T, no, action string, values *claimsv1.ActAsOperatorRequest) string {
	t.Helper()
	if values == nil {
		values = &claimsv1.ActAsOperatorRequest{}
	}
	values.ClaimNo, values.Action, values.Operator = no, action, "kim"
	return must(t, b.client.ActAsOperator, values).GetStatus()
}

var parcel = &claimsv1.ActAsOperatorRequest{CarrierName: "한진택배", TrackingNo: "4123-4567-8901"}

// An operator can take an exchange through all its states, from the shortfall's payment to the reshipment.
func TestExchange_wholeLifeByOperator(t *testing.T) {
	t.Parallel()
	b := setup(t, refund.EmbeddedConfig{})
	sent := b.exchange(6000)
	opened := must(t, b.client.RequestClaim, sent)
	require.Equal(t, []any{"payment_pending", int64(2000)}, []any{opened.GetStatus(), opened.GetShortfallAmount()})
	payment := &claimsv1.RecordShortfallPaymentRequest{ClaimNo: sent.GetClaimNo(), PaymentId: "P-1", Amount: 2000}
	require.Equal(t, "requested", must(t, b.client.RecordShortfallPayment, payment).GetStatus())
	require.Equal(t, "approved", b.act(t, sent.GetClaimNo(), "approve", nil))
	require.Equal(t, "collecting", b.act(t, sent.GetClaimNo(), "pickup", parcel))
	require.Equal(t, "collected", b.act(t, sent.GetClaimNo(), "collect-done", nil))
	hold := &claimsv1.HoldInspectionRequest{ClaimNo: sent.GetClaimNo(), Operator: "kim", Reason: "scratches"}
	require.Equal(t, "inspecting", must(t, b.client.HoldInspection, hold).GetStatus())
	require.Equal(t, "reshipping", b.act(t, sent.GetClaimNo(), "inspect", &claimsv1.ActAsOperatorRequest{Result: "pass", Memo: " "}))
	require.Equal(t, "completed", b.act(t, sent.GetClaimNo(), "reship", parcel))
	require.Equal(t, "shipping", b.orders.Lines(sent.GetOrderNo())[1].State)
	require.Equal(t, "412345678901", b.orders.Lines(sent.GetOrderNo())[1].TrackingNo)
}

func TestOtherEndsOfClaims(t *testing.T) {
	t.Parallel()
	b := setup(t, refund.EmbeddedConfig{})
	withdrawn := b.request("return", "delivered")
	must(t, b.client.RequestClaim, withdrawn)
	require.Equal(t, "withdrawn", must(t, b.client.WithdrawClaim,
		&claimsv1.WithdrawClaimRequest{ClaimNo: withdrawn.GetClaimNo()}).GetStatus())
	rejected := b.request("cancel", "paid")
	must(t, b.client.RequestClaim, rejected)
	require.Equal(t, "rejected", b.act(t, rejected.GetClaimNo(), "reject", &claimsv1.ActAsOperatorRequest{Memo: "shipped"}))
	converted := b.exchange(0)
	must(t, b.client.RequestClaim, converted)
	convert := &claimsv1.ConvertToReturnRequest{ClaimNo: converted.GetClaimNo(), ReturnClaimNo: "R-1", Operator: "kim"}
	require.Equal(t, "requested", must(t, b.client.ConvertToReturn, convert).GetReturnStatus())
	require.Equal(t, "R-1", b.orders.Lines(converted.GetOrderNo())[0].ClaimNo)
}

func TestEvents_reportedLateKeepTheirTime(t *testing.T) {
	t.Parallel()
	b := setup(t, refund.EmbeddedConfig{})
	asked := time.Now().Add(-100 * time.Hour).UTC().Truncate(time.Microsecond)
	sent := b.request("return", "delivered")
	b.orders.Backdate(sent.GetOrderNo(), asked.Add(-48*time.Hour), asked.Add(-time.Hour))
	sent.RequestedAt = timestamppb.New(asked.Add(time.Nanosecond))
	require.Equal(t, "requested", must(t, b.client.RequestClaim, sent).GetStatus())
	for i, step := range []*claimsv1.ActAsOperatorRequest{
		{Action: "approve"}, {Action: "pickup", CarrierName: "한진택배", TrackingNo: "412345678901"}, {Action: "collect-done"},
	} {
		step.HappenedAt = timestamppb.New(asked.Add(time.Duration(i+1) * time.Hour))
		b.act(t, sent.GetClaimNo(), step.GetAction(), step)
	}
	c, err := b.store.Get(t.Context(), b.seller, sent.GetClaimNo())
	require.NoError(t, err)
	require.Equal(t, asked, c.RequestedAt.UTC())
	require.Equal(t, asked.Add(75*time.Hour), c.InspectionDueAt.UTC())
	require.Equal(t, asked.Add(2*time.Hour), c.Performed.Of(claim.Pickup).At.UTC())
}

// The marketplace must not date a claim before the payment or delivery to which it refers.
func TestRequest_notBeforePaymentOrDelivery(t *testing.T) {
	t.Parallel()
	b := setup(t, refund.EmbeddedConfig{})
	delivered := time.Now().Add(-100 * time.Hour).UTC().Truncate(time.Microsecond)
	paid := delivered.Add(-48 * time.Hour)
	for _, row := range []struct {
		kind, status string
		paid, asked  time.Time
		want         time.Time
	}{
		{"cancel", "paid", paid, timestamp.Earliest, paid},
		{"cancel", "paid", paid, paid.Add(time.Second), paid.Add(time.Second)},
		{"return", "delivered", paid, timestamp.Earliest, delivered},
		{"exchange", "delivered", paid, delivered.Add(-time.Second), delivered},
	} {
		sent := b.request(row.kind, row.status)
		sent.Items[0].ExchangeOptionName = "파랑 / L"
		sent.RequestedAt = timestamppb.New(row.asked)
		b.orders.Backdate(sent.GetOrderNo(), row.paid, delivered)
		must(t, b.client.RequestClaim, sent)
		c, err := b.store.Get(t.Context(), b.seller, sent.GetClaimNo())
		require.NoError(t, err)
		require.Equal(t, row.want, c.RequestedAt.UTC(), row)
	}
}

// A frozen claim refuses actions until it is unfrozen.
func TestFreeze_blocksActions(t *testing.T) {
	t.Parallel()
	b := setup(t, refund.EmbeddedConfig{})
	sent := b.request("cancel", "paid")
	must(t, b.client.RequestClaim, sent)
	must(t, b.client.FreezeClaim, &claimsv1.FreezeClaimRequest{ClaimNo: sent.GetClaimNo(), Operator: "kim", Reason: "fraud check"})
	_, err := b.client.ActAsOperator(t.Context(), &claimsv1.ActAsOperatorRequest{
		ClaimNo: sent.GetClaimNo(), Action: "approve", Operator: "kim",
	})
	require.ErrorIs(t, err, apierr.ClaimNotApprovable)
	require.Equal(t, connect.CodeFailedPrecondition, connect.CodeOf(err))
	must(t, b.client.UnfreezeClaim, &claimsv1.UnfreezeClaimRequest{ClaimNo: sent.GetClaimNo(), Operator: "kim"})
	require.Equal(t, "completed", b.act(t, sent.GetClaimNo(), "approve", nil))
}

func (b *fixture) refundOf(t *testing.T, no string) string {
	t.Helper()
	refunds, err := b.store.Refunds(t.Context(), b.seller, no)
	require.NoError(t, err)
	require.Len(t, refunds, 1)
	return refunds[0].ID.String()
}

// The provider's report of a success ends the wait for an account and completes the claim.
func TestRecordRefund_endsWaitForAccount(t *testing.T) {
	t.Parallel()
	b := setup(t, refund.EmbeddedConfig{AccountEnding: "-ACCOUNT"})
	sent := b.request("cancel", "paid")
	sent.ClaimNo += "-ACCOUNT"
	must(t, b.client.RequestClaim, sent)
	require.Equal(t, "refund_processing", b.act(t, sent.GetClaimNo(), "approve", nil))
	word := func(outcome claimsv1.RefundOutcome) *claimsv1.RecordRefundRequest {
		return &claimsv1.RecordRefundRequest{RefundId: b.refundOf(t, sent.GetClaimNo()), Outcome: outcome, ProviderReference: "R-1"}
	}
	require.Equal(t, "refund_processing", must(t, b.client.RecordRefund,
		word(claimsv1.RefundOutcome_REFUND_OUTCOME_NEEDS_ACCOUNT)).GetClaimStatus())
	require.Equal(t, "refund_processing", must(t, b.client.RecordRefund,
		word(claimsv1.RefundOutcome_REFUND_OUTCOME_FAILED)).GetClaimStatus())
	require.Equal(t, "completed", must(t, b.client.RecordRefund,
		word(claimsv1.RefundOutcome_REFUND_OUTCOME_SUCCEEDED)).GetClaimStatus())
	retry := &claimsv1.RetryRefundRequest{ClaimNo: sent.GetClaimNo(), Operator: "kim"}
	require.Equal(t, "completed", must(t, b.client.RetryRefund, retry).GetClaimStatus())
	unknown := word(claimsv1.RefundOutcome_REFUND_OUTCOME_SUCCEEDED)
	unknown.RefundId = uuid.NewString()
	_, err := b.client.RecordRefund(t.Context(), unknown)
	require.ErrorIs(t, err, apierr.ClaimNotFound)
}

// The shipping fee of a seller's policy applies to the seller's claims.
func TestSellerPolicy_feeAppliesToClaims(t *testing.T) {
	t.Parallel()
	b := setup(t, refund.EmbeddedConfig{})
	for _, currency := range []string{"USD", ""} { // absent: won
		must(t, b.client.SetSellerPolicy, &claimsv1.SetSellerPolicyRequest{
			SellerId: b.seller.String(), ShippingFeeOneWay: map[string]int64{"USD": 450, "": 2500}[currency], Currency: currency,
		})
	}
	sent := b.request("return", "delivered")
	sent.ReasonCode = "change_of_mind"
	must(t, b.client.RequestClaim, sent)
	c, err := b.store.Get(t.Context(), b.seller, sent.GetClaimNo())
	require.NoError(t, err)
	require.Equal(t, int64(2500), c.Money.Fee)
}

// The procedures also accept plain JSON over HTTP, and refuse calls without a token.
func TestCall_plainJSONNeedsToken(t *testing.T) {
	t.Parallel()
	b := setup(t, refund.EmbeddedConfig{})
	for token, want := range map[string]int{
		rpctest.Token(t, "operator", "claims"): http.StatusNotFound, rpctest.Token(t, "operator", "orders"): http.StatusUnauthorized,
		rpctest.Token(t, "orders", "claims"): http.StatusForbidden, "": http.StatusUnauthorized,
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/claims.v1.Intake/WithdrawClaim",
			strings.NewReader(`{"claim_no":"C-none"}`))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, want, response.StatusCode)
	}
}
