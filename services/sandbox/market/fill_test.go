package market

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
)

type intake struct {
	ordersv1connect.UnimplementedIntakeHandler

	mu       sync.Mutex
	batches  []int
	orders   map[string]*ordersv1.Order
	payments map[string]*ordersv1.RecordPaymentRequest
	refuse   func(batch int) error
}

func newIntake() *intake {
	return &intake{orders: map[string]*ordersv1.Order{}, payments: map[string]*ordersv1.RecordPaymentRequest{}}
}

func (i *intake) PlaceOrders(_ context.Context, request *ordersv1.PlaceOrdersRequest) (*ordersv1.PlaceOrdersResponse, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.refuse != nil {
		if err := i.refuse(len(i.batches)); err != nil {
			return nil, err
		}
	}
	i.batches = append(i.batches, len(request.GetOrders()))
	answer := &ordersv1.PlaceOrdersResponse{}
	for _, order := range request.GetOrders() {
		outcome := ordersv1.PlaceOutcome_PLACE_OUTCOME_PLACED
		if i.orders[order.GetOrderNo()] != nil {
			outcome = ordersv1.PlaceOutcome_PLACE_OUTCOME_ALREADY_PLACED
		}
		i.orders[order.GetOrderNo()] = order
		answer.Results = append(answer.Results, &ordersv1.PlaceResult{OrderNo: order.GetOrderNo(), Outcome: outcome})
	}
	return answer, nil
}

func (i *intake) RecordPayment(_ context.Context, request *ordersv1.RecordPaymentRequest) (*ordersv1.RecordPaymentResponse,
	error,
) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.payments[request.GetOrderNo()] = request
	return &ordersv1.RecordPaymentResponse{Changed: true}, nil
}

func (i *intake) serve(t *testing.T) ordersv1connect.IntakeClient {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle(ordersv1connect.NewIntakeHandler(i))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return ordersv1connect.NewIntakeClient(server.Client(), server.URL)
}

// A fill sends every order once, in batches, with its payment.
func TestFill_everyOrderOnceInBatches(t *testing.T) {
	t.Parallel()
	m, service := setup(t, 2350, 5), newIntake()
	report, err := m.Fill(t.Context(), service.serve(t), FillOptions{Batch: 500})
	require.NoError(t, err)
	require.Equal(t, int64(2350), report.Placed)
	require.Zero(t, report.AlreadyThere+report.Conflicts)
	require.Positive(t, report.PerSecond())
	require.ElementsMatch(t, []int{500, 500, 500, 500, 350}, service.batches)
	require.Len(t, service.orders, 2350)
	for batch := range m.Batches(1000) {
		for _, placed := range batch {
			payment := service.payments[placed.Order.GetOrderNo()]
			require.Equal(t, placed.Payment, payment.GetOutcome())
		}
	}
}

// The error of an interrupted fill says where it stopped, and repeating the fill completes it.
func TestFill_brokenOffFinishedByRepetition(t *testing.T) {
	t.Parallel()
	m, service := setup(t, 1000, 5), newIntake()
	client := service.serve(t)
	service.refuse = func(batch int) error {
		if batch == 2 {
			return connect.NewError(connect.CodeUnavailable, errors.New("restarting"))
		}
		return nil
	}
	_, err := m.Fill(t.Context(), client, FillOptions{Batch: 100, Connections: 1})
	require.ErrorContains(t, err, "from number 200 on")
	service.refuse = nil
	report, err := m.Fill(t.Context(), client, FillOptions{Batch: 100})
	require.NoError(t, err)
	require.Equal(t, int64(200), report.AlreadyThere)
	require.Equal(t, int64(800), report.Placed)
	require.Len(t, service.orders, 1000)
}

func TestFill_survivesFailedCallAndPaysUnpaid(t *testing.T) {
	t.Parallel()
	m, service := setup(t, 100, 3), newIntake()
	asked := &intakes{}
	claimed := &claimsIntake{}
	trade := &trade{market: m, intakes: Intakes{Orders: service.serve(t), Inquiries: asked.serve(t), Claims: claimed.serve(t)}}
	service.refuse = func(batch int) error {
		if batch == 0 && len(service.orders) == 0 {
			service.refuse = nil
			return connect.NewError(connect.CodeUnavailable, errors.New("restarting"))
		}
		return nil
	}
	require.Error(t, trade.round(t.Context(), base))
	for round := range 40 {
		require.NoError(t, trade.round(t.Context(), base.Add(time.Duration(round)*time.Second)))
	}
	require.NoError(t, trade.pay(t.Context(), base.Add(time.Hour)))
	require.Greater(t, len(service.orders), 40)
	unpaid := 0
	for orderNo, order := range service.orders {
		if order.GetPaidAt() == nil {
			unpaid++
			require.Equal(t, ordersv1.PaymentOutcome_PAYMENT_OUTCOME_PAID, service.payments[orderNo].GetOutcome())
		}
	}
	require.Positive(t, unpaid)
	require.NotEmpty(t, asked.inquiries)
	require.Greater(t, len(claimed.types), 5)
	require.NotEmpty(t, claimed.paid)
}

// claimsIntake accepts every claim and demands a payment for those that are not cancels.
type claimsIntake struct {
	claimsv1connect.UnimplementedIntakeHandler
	types map[string]string
	paid  []string
	acts  []string
}

func (c *claimsIntake) serve(t *testing.T) claimsv1connect.IntakeClient {
	t.Helper()
	c.types = map[string]string{}
	_, handler := claimsv1connect.NewIntakeHandler(c)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return claimsv1connect.NewIntakeClient(server.Client(), server.URL)
}

// RequestClaim implements the intake.
func (c *claimsIntake) RequestClaim(_ context.Context,
	call *claimsv1.RequestClaimRequest,
) (*claimsv1.RequestClaimResponse, error) {
	c.types[call.GetClaimNo()] = call.GetType()
	if call.GetType() == cancel {
		return &claimsv1.RequestClaimResponse{Status: "requested"}, nil
	}
	return &claimsv1.RequestClaimResponse{Status: "payment_pending", ShortfallAmount: 6000}, nil
}

// ActAsOperator implements the intake: its first call answers that the new line is not shipped yet.
func (c *claimsIntake) ActAsOperator(_ context.Context,
	call *claimsv1.ActAsOperatorRequest,
) (*claimsv1.ActAsOperatorResponse, error) {
	c.acts = append(c.acts, call.GetAction())
	if len(c.acts) == 1 {
		err := connect.NewError(connect.CodeFailedPrecondition, errors.New("not shipped yet"))
		err.Meta().Set("x-error-code", string(apierr.ExchangeItemShipFailed))
		return nil, err
	}
	if call.GetClaimNo() == "" {
		return nil, connect.NewError(connect.CodeInvalidArgument, errors.New("no number"))
	}
	return &claimsv1.ActAsOperatorResponse{Status: "completed"}, nil
}

func TestFill_repeatsReshipmentOfUnshippedLine(t *testing.T) {
	t.Parallel()
	service := &claimsIntake{}
	c := &claimCase{client: service.serve(t), claim: Claim{Request: &claimsv1.RequestClaimRequest{ClaimNo: "C-1"}}}
	require.NoError(t, claimActs[reship](c, t.Context(), ClaimStep{}))
	require.Equal(t, []string{"reship", "reship"}, service.acts)
	c.claim.Request.ClaimNo = ""
	require.Error(t, claimActs[reship](c, t.Context(), ClaimStep{}), "every other refusal is an error")
	require.Len(t, service.acts, 3)
}

// RecordShortfallPayment implements the intake.
func (c *claimsIntake) RecordShortfallPayment(
	_ context.Context, call *claimsv1.RecordShortfallPaymentRequest,
) (*claimsv1.RecordShortfallPaymentResponse, error) {
	c.paid = append(c.paid, call.GetClaimNo())
	return &claimsv1.RecordShortfallPaymentResponse{Status: "requested"}, nil
}

type intakes struct {
	qnav1connect.UnimplementedIntakeHandler
	inquiries map[string]*qnav1.Inquiry
}

func (d *intakes) serve(t *testing.T) qnav1connect.IntakeClient {
	t.Helper()
	d.inquiries = map[string]*qnav1.Inquiry{}
	_, handler := qnav1connect.NewIntakeHandler(d)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return qnav1connect.NewIntakeClient(server.Client(), server.URL)
}

// PostInquiries implements the intake.
func (d *intakes) PostInquiries(_ context.Context, call *qnav1.PostInquiriesRequest) (*qnav1.PostInquiriesResponse, error) {
	for _, inquiry := range call.GetInquiries() {
		d.inquiries[inquiry.GetQnaId()] = inquiry
	}
	return &qnav1.PostInquiriesResponse{}, nil
}

func TestInquiries_deterministicAndEveryKind(t *testing.T) {
	t.Parallel()
	m, again := setup(t, 100, 3), setup(t, 100, 3)
	asked, categories, secret, pictured := &intakes{}, map[string]bool{}, 0, 0
	client := asked.serve(t)
	require.NoError(t, m.Ask(t.Context(), client, 1500))
	require.NoError(t, again.Ask(t.Context(), client, 1500))
	require.Len(t, asked.inquiries, 1500)
	for _, inquiry := range asked.inquiries {
		categories[inquiry.GetCategory()] = true
		require.NotContains(t, inquiry.GetBody(), "{")
		if inquiry.GetIsSecret() {
			secret++
		}
		if len(inquiry.GetImageUrls()) > 0 {
			pictured++
		}
	}
	require.Len(t, categories, 6)
	require.Positive(t, secret)
	require.Positive(t, pictured)
}

func TestProgress_linesWithoutTerminal(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, out := &filling{}, &bytes.Buffer{}
		stop := showProgress(out, 1000, &f.done)
		f.done.Store(250)
		<-time.After(1100 * time.Millisecond)
		f.done.Store(1000)
		stop()
		require.Equal(t, "filling: 250 of 1000 orders, 250 a second\nfilling: 1000 of 1000 orders, 909 a second\n", out.String())
	})
}
