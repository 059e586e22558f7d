package crash

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/types/known/timestamppb"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/e2e/stacktest"
)

// writersAtOnce is how many writers change the seller's records at the same time, and faultRounds how often each fault occurs.
const (
	writersAtOnce = 32
	faultRounds   = 1
)

// clockBack is how far the database's clock is set back: less than what a time that the marketplace gives may be ahead of it.
const clockBack = "90 seconds"

// market is a whole system, whose four services and whose reader are processes, and the marketplace that writes to it.
type market struct {
	*entrance
	claims    claimsv1connect.IntakeClient
	inquiries qnav1connect.IntakeClient
	// sellers are the seller who reads, and another one with a part in some of the orders.
	sellers [2]string
	reader  *reader
}

// newMarket starts everything. All calls to a process pass a proxy whose address remains when the process is started again.
func newMarket(t *testing.T) *market {
	t.Helper()
	database := migrated(t)(t)
	m := &market{entrance: newEntrance(t, database)}
	m.kill(gatewayService)
	ofGateway := slices.Clone(m.settings[:len(m.settings)-1]) // the last is the database as operators reach it
	serve := func(handler http.Handler) string {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		return server.URL
	}
	ofRPC := map[string]string{}
	var upstreams, clocks []string
	for _, name := range []string{ordersService, claimsService, qnaService} {
		ofRPC[name] = serve(m.toward(name, "rpc"))
		upstreams = append(upstreams, name+"="+serve(m.toward(name, "public")))
		clocks = append(clocks, name+"="+ofRPC[name])
	}
	m.processes[claimsService] = m.process(claimsService, database, "UPSTREAMS=orders="+ofRPC[ordersService], "ENVIRONMENT=test")
	m.processes[qnaService] = m.process(qnaService, database)
	m.processes[gatewayService] = m.process(gatewayService, database, append(ofGateway, "UPSTREAMS="+strings.Join(upstreams, ","),
		"CLOCK_UPSTREAMS="+strings.Join(clocks, ","), "RATE_READ=10000", "RATE_ROWS=1000000")...)
	m.start(claimsService, qnaService, gatewayService)
	token := marketplaceToken(t)
	m.intake = stack.Intake(ofRPC[ordersService], token)
	m.claims, m.inquiries = stack.ClaimIntake(ofRPC[claimsService], token), stack.Inquiries(ofRPC[qnaService], token)
	m.sellers = [2]string{uuid.NewString(), uuid.NewString()}
	m.operate(t, "keys", "register-seller", "--name", "S", "--seller", m.sellers[0], "--actor", "kim")
	apiKey := m.issue(t, m.sellers[0])
	m.reader = newReader(t, serve(m.toward(gatewayService, "public")), apiKey)
	return m
}

// write starts writers, each of which places orders, claims one, and posts an inquiry. The returned function waits for them.
func (m *market) write(t *testing.T) (wait func()) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), timeout)
	var group errgroup.Group
	for n := range writersAtOnce {
		group.Go(func() error { return m.writeRound(ctx, n) })
	}
	return func() {
		defer stop()
		require.NoError(t, group.Wait())
	}
}

func (m *market) writeRound(ctx context.Context, n int) error {
	late, claimed := stacktest.NewOrder(m.sellers[0], stacktest.Unpaid), stacktest.NewOrder(m.sellers[0], stacktest.Claimable(stacktest.Return))
	if n%2 == 0 {
		stacktest.With(m.sellers[1])(late)
	}
	claim, inquiry := stacktest.NewClaim(stacktest.Return, claimed), stacktest.NewInquiry(m.sellers[0])
	for _, step := range []func() error{
		call(ctx, m.intake.PlaceOrders, &ordersv1.PlaceOrdersRequest{Orders: []*ordersv1.Order{late, claimed}}),
		call(ctx, m.inquiries.PostInquiries, &qnav1.PostInquiriesRequest{Inquiries: []*qnav1.Inquiry{inquiry}}),
		call(ctx, m.claims.RequestClaim, claim),
		call(ctx, m.intake.RecordPayment, &ordersv1.RecordPaymentRequest{
			OrderNo: late.GetOrderNo(), Outcome: ordersv1.PaymentOutcome_PAYMENT_OUTCOME_PAID,
			PaidAt: timestamppb.New(claimed.GetPaidAt().AsTime()),
		}),
		call(ctx, m.claims.ActAsOperator, &claimsv1.ActAsOperatorRequest{
			ClaimNo: claim.GetClaimNo(), Action: "approve", Operator: "kim",
		}),
	} {
		if err := persist(ctx, step); err != nil {
			return err
		}
	}
	return nil
}

func call[Q, A any](ctx context.Context, make func(context.Context, *Q) (*A, error), request *Q) func() error {
	return func() error {
		_, err := make(ctx, request)
		return err
	}
}

// persist repeats a call of the marketplace until it has an answer. One that was made twice may be refused the second time.
func persist(ctx context.Context, step func() error) error {
	for again := false; ; again = true {
		err := step()
		switch code := connect.CodeOf(err); {
		case err == nil, again && code == connect.CodeFailedPrecondition:
			return nil
		case code == connect.CodeInvalidArgument, code == connect.CodeNotFound, ctx.Err() != nil:
			return fmt.Errorf("after a repetition: %t: %w", again, err)
		}
		<-time.After(tick)
	}
}

// setClock sets the clock of the database relative to the wall clock, for all services.
func (m *market) setClock(t *testing.T, offset string) {
	t.Helper()
	for _, schema := range []string{ordersService, claimsService, qnaService} {
		_, err := m.db.Exec(t.Context(), "create or replace function "+schema+`.seller_now(seller_id uuid) returns timestamptz
			language sql volatile return clock_timestamp() `+offset)
		require.NoError(t, err)
	}
}

// A reader that stores each page and the position after it together has exact copies of all lists at rest: among 32 writers, when
// it is killed at any moment, when each service is killed, and when the clock of the database is set back.
func TestForward_exactCopy(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	m.reader.Start()
	faults := map[string]func(){
		"clock back": func() { m.setClock(t, "- interval '"+clockBack+"'") }, "clock forth": func() { m.setClock(t, "") },
	}
	for name := range m.processes {
		faults[name] = func() {
			m.kill(name)
			m.start(name)
		}
	}
	for range faultRounds {
		for name, occurs := range faults {
			wait := m.write(t)
			occurs()
			m.reader.Kill()
			before := m.reader.pages(t)
			m.reader.Start()
			wait()
			eventually(t, func() bool { return m.reader.pages(t) > before }, func() string { return "nothing is read after: " + name })
		}
	}
	problem := ""
	eventually(t, func() bool {
		problem = m.reader.differs(t)
		return problem == ""
	}, func() string { return problem })
	t.Logf("%d pages", m.reader.pages(t))
}
