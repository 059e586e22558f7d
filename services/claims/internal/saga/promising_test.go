package saga_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/refund"
	"sellerapi.dev/services/claims/internal/saga"
	"sellerapi.dev/services/claims/internal/store"
)

type promising struct {
	name string
	kind claim.Type
	// at is how many actions of lives the claim has performed before; prepare does what else is needed.
	at      int
	prepare func(t *testing.T, b *fixture, c claim.Claim)
	do      func(t *testing.T, s *saga.Saga, c claim.Claim) error
	// shows is the state that an answer promises.
	shows claim.Status
	way   way
}

// way is how a call is completed while the orders service is away.
type way int

const (
	// isRegistered: it is not answered; the same call or a sweep completes it.
	isRegistered way = iota
	// asks: it is not answered, and only the same call completes it, because nothing is registered.
	asks
	// alone: it is answered, because the order only gets a new updated_at.
	alone
	// isTimer: nobody is answered, and a sweep completes it.
	isTimer
)

// perform returns a call of an action by the seller, or by an operator.
func perform(action claim.Trigger, values claim.Values, by claim.ActorKind) func(*testing.T, *saga.Saga, claim.Claim) error {
	return func(t *testing.T, s *saga.Saga, c claim.Claim) error {
		t.Helper()
		command := claim.Command{Action: action, Values: values, Actor: claim.Actor{Kind: by, Name: "kim"}}
		_, _, err := s.Perform(t.Context(), c.SellerID, c.No, command)
		return err
	}
}

func withdraw(t *testing.T, s *saga.Saga, c claim.Claim) error {
	t.Helper()
	_, err := s.Withdraw(t.Context(), c.No)
	return err
}

func convert(t *testing.T, s *saga.Saga, c claim.Claim) error {
	t.Helper()
	_, err := s.Convert(t.Context(), c.No, "R-"+c.No, "kim")
	return err
}

func freeze(t *testing.T, s *saga.Saga, c claim.Claim) error {
	t.Helper()
	_, err := s.Freeze(t.Context(), c.No, "kim", claim.FreezeDispute, "customer called")
	return err
}

func unfreeze(t *testing.T, s *saga.Saga, c claim.Claim) error {
	t.Helper()
	_, err := s.Unfreeze(t.Context(), c.No, "kim")
	return err
}

func pay(t *testing.T, s *saga.Saga, c claim.Claim) error {
	t.Helper()
	_, err := s.PayShortfall(t.Context(), c.No, "P-1", 2000)
	return err
}

// expire and passUninspected are timers, which answer nobody.
func expire(t *testing.T, s *saga.Saga, c claim.Claim) error {
	t.Helper()
	return s.ExpirePayment(t.Context(), store.DueClaim{SellerID: c.SellerID, ClaimNo: c.No})
}

func passUninspected(t *testing.T, s *saga.Saga, c claim.Claim) error {
	t.Helper()
	return s.PassUninspected(t.Context(), store.DueClaim{SellerID: c.SellerID, ClaimNo: c.No})
}

func frozen(t *testing.T, b *fixture, c claim.Claim) {
	t.Helper()
	require.NoError(t, freeze(t, b.saga, c))
}

// held lets an operator inspect the goods.
func held(t *testing.T, b *fixture, c claim.Claim) {
	t.Helper()
	_, err := b.saga.HoldInspection(t.Context(), c.No, "kim", "scratches")
	require.NoError(t, err)
}

// unpaid makes the customer pay 2,000 first, by a deadline that has passed.
func unpaid(t *testing.T, b *fixture, c claim.Claim) {
	t.Helper()
	b.exec(t, `update claims set status = 'payment_pending', shortfall_amount = 2000,
		payment_due_at = clock_timestamp() - interval '1 second' where claim_no = $1`, c.No)
}

func overdue(t *testing.T, b *fixture, _ claim.Claim) { t.Helper(); b.overdue(t) }

// registered leaves a reshipment registered that orders did not ship.
func registered(t *testing.T, b *fixture, c claim.Claim) {
	t.Helper()
	b.orders.Fail("ShipExchangeLine", rpctest.Always(rpctest.Fault{Unreachable: true}))
	_, err := b.act(t, c, claim.Reship, hanjin)
	require.ErrorIs(t, err, apierr.ExchangeItemShipFailed)
	b.orders.Fail("ShipExchangeLine", nil)
}

func cancelReshipment(t *testing.T, s *saga.Saga, c claim.Claim) error {
	t.Helper()
	_, err := s.CancelReshipment(t.Context(), c.No, "kim", "lost")
	return err
}

func refunding(t *testing.T, b *fixture, c claim.Claim) {
	t.Helper()
	b.pays.tell(func(int) (refund.Result, error) { return refund.Result{Trigger: claim.NeedAccount}, nil })
	last := lives[c.Type][len(lives[c.Type])-1]
	_, err := b.act(t, c, last.action, last.values)
	require.NoError(t, err)
	require.Equal(t, claim.RefundProcessing, b.get(t, c).Status)
}

func hold(t *testing.T, s *saga.Saga, c claim.Claim) error {
	t.Helper()
	_, err := s.HoldInspection(t.Context(), c.No, "kim", "scratches")
	return err
}

const (
	bySeller   = claim.ByAPI
	byOperator = claim.ByOperator
)

var none = claim.Values{}

// promises are all calls on claims that exist, and the timers.
var promises = []promising{
	{"approve cancel", claim.Cancel, 0, nil, perform(claim.Approve, none, bySeller), claim.Completed, isRegistered},
	{"approve cancel, operator", claim.Cancel, 0, nil, perform(claim.Approve, none, byOperator), claim.Completed, isRegistered},
	{"approve return", claim.Return, 0, nil, perform(claim.Approve, none, bySeller), claim.Approved, isRegistered},
	{"approve exchange", claim.Exchange, 0, nil, perform(claim.Approve, none, bySeller), claim.Approved, isRegistered},
	{"pickup", claim.Return, 1, nil, perform(claim.Pickup, hanjin, bySeller), claim.Collecting, isRegistered},
	{"collect-done", claim.Return, 2, nil, perform(claim.CollectDone, none, bySeller), claim.Collected, isRegistered},
	{"reject cancel", claim.Cancel, 0, nil, perform(claim.Reject, memo, bySeller), claim.Rejected, isRegistered},
	{"reject return", claim.Return, 0, nil, perform(claim.Reject, memo, bySeller), claim.Rejected, isRegistered},
	{"reject inspecting", claim.Exchange, 3, held, perform(claim.Reject, memo, bySeller), claim.Rejected, isRegistered},
	{"inspect return pass", claim.Return, 3, nil, perform(claim.Inspect, pass, bySeller), claim.Completed, isRegistered},
	{"inspect return fail", claim.Return, 3, nil, perform(claim.Inspect, fail, bySeller), claim.Rejected, isRegistered},
	{"inspect exchange pass", claim.Exchange, 3, nil, perform(claim.Inspect, pass, bySeller), claim.Reshipping, isRegistered},
	{"inspect exchange fail", claim.Exchange, 3, nil, perform(claim.Inspect, fail, bySeller), claim.Rejected, isRegistered},
	{"inspect as operator", claim.Return, 3, held, perform(claim.Inspect, pass, byOperator), claim.Completed, isRegistered},
	{"reship", claim.Exchange, 4, nil, perform(claim.Reship, hanjin, bySeller), claim.Completed, isRegistered},
	{"cancel reshipment", claim.Exchange, 4, registered, cancelReshipment, claim.Reshipping, asks},
	{"withdraw return", claim.Return, 1, nil, withdraw, claim.Withdrawn, isRegistered},
	{"withdraw exchange", claim.Exchange, 0, nil, withdraw, claim.Withdrawn, isRegistered},
	{"withdraw frozen", claim.Exchange, 0, frozen, withdraw, claim.Withdrawn, isRegistered},
	{"hold inspection", claim.Return, 3, nil, hold, claim.Inspecting, alone},
	{"pay shortfall", claim.Exchange, 0, unpaid, pay, claim.Requested, alone},
	{"expire payment", claim.Exchange, 0, unpaid, expire, claim.Expired, isTimer},
	{"pass uninspected", claim.Return, 3, overdue, passUninspected, claim.Completed, isTimer},
	{"convert requested", claim.Exchange, 0, nil, convert, claim.ConvertedToReturn, isRegistered},
	{"convert collected", claim.Exchange, 3, nil, convert, claim.ConvertedToReturn, isRegistered},
	{"convert reshipping", claim.Exchange, 4, nil, convert, claim.ConvertedToReturn, isRegistered},
	{"freeze requested", claim.Exchange, 0, nil, freeze, claim.Requested, isRegistered},
	{"freeze reshipping", claim.Exchange, 4, nil, freeze, claim.Reshipping, isRegistered},
	{"freeze return", claim.Return, 3, nil, freeze, claim.Collected, alone},
	{"unfreeze requested", claim.Exchange, 0, frozen, unfreeze, claim.Requested, isRegistered},
	{"unfreeze reshipping", claim.Exchange, 4, frozen, unfreeze, claim.Reshipping, isRegistered},
	{"unfreeze return", claim.Return, 3, frozen, unfreeze, claim.Collected, alone},
	{"record refund", claim.Cancel, 0, refunding, nil, claim.Completed, alone},
}
