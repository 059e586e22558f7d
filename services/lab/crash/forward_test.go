package crash

import (
	"context"
	"flag"
	"fmt"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/types/known/timestamppb"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// writersAtOnce is how many writers change the seller's records at the same time.
const writersAtOnce = 32

// clockBack is how far the database's clock is set back: less than what a time that the marketplace gives may be ahead of it.
const clockBack = "90 seconds"

// market is a whole system with a reader, and the marketplace that writes to it.
type market struct {
	*whole

	// other is another seller, who has a part in some of the orders.
	other  string
	reader *reader
}

func newMarket(t *testing.T) *market {
	t.Helper()
	m := &market{whole: newWhole(t, migrated(t)(t)), other: uuid.NewString()}
	m.reader = newReader(t, m.at(gatewayService, "public"), m.issue(t, m.seller))
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
	late := stacktest.NewOrder(m.seller, stacktest.Unpaid)
	claimed := stacktest.NewOrder(m.seller, stacktest.Claimable(stacktest.Return))
	if n%2 == 0 {
		stacktest.With(m.other)(late)
	}
	claim, inquiry := stacktest.NewClaim(stacktest.Return, claimed), stacktest.NewInquiry(m.seller)
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

func call[Q, A any](ctx context.Context, rpc func(context.Context, *Q) (*A, error), request *Q) func() error {
	return func() error {
		_, err := rpc(ctx, request)
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

// faultRounds is how often each fault occurs.
var faultRounds = flag.Int("crash.rounds", 1, "how often each fault occurs to a reader of changes")

// happening is something that happens among the writers.
type happening struct {
	name  string
	occur func()
}

// faults are what happens, in this order: half of the services die while the clock is behind what was written before.
func (m *market) faults(t *testing.T) []happening {
	t.Helper()
	dies := func(name string) happening {
		return happening{name, func() {
			m.kill(name)
			m.start(name)
		}}
	}
	return []happening{
		dies(gatewayService), dies(ordersService),
		{"clock back", func() { m.setClock(t, "- interval '"+clockBack+"'") }},
		dies(claimsService), dies(qnaService),
		{"clock forth", func() { m.setClock(t, "") }},
	}
}

// A reader that stores each page and the position after it together has exact copies of all lists at rest: among 32 writers, when
// it is killed at any moment, when each service is killed, and when the clock of the database is set back.
func TestForward_exactCopy(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	m.reader.Start()
	for range *faultRounds {
		for _, fault := range m.faults(t) {
			m.among(t, fault)
		}
	}
	problem := ""
	eventually(t, func() bool {
		problem = m.reader.differs(t)
		return problem == ""
	}, func() string { return problem })
	t.Logf("%d pages", m.reader.pages(t))
}

// among lets a fault occur while writers write, and kills the reader, which then goes on.
func (m *market) among(t *testing.T, fault happening) {
	t.Helper()
	wait := m.write(t)
	fault.occur()
	m.reader.Kill()
	before := m.reader.pages(t)
	m.reader.Start()
	wait()
	eventually(t, func() bool { return m.reader.pages(t) > before }, func() string { return "nothing is read after: " + fault.name })
}
