package linestest_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/proto/claimlinestest"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/services/claims/internal/lines/linestest"
)

// The test double passes the same suite as the orders service.
func TestContract(t *testing.T) {
	t.Parallel()
	s := &subject{orders: linestest.New()}
	client := rpctest.Client(t, rpc.CallerClaims, "orders", rpc.Config{})
	s.ClaimLinesClient = ordersv1connect.NewClaimLinesClient(client.HTTP, s.orders.Serve(t), client.Options)
	claimlinestest.Run(t, func(*testing.T) claimlinestest.Subject { return s })
}

// subject is the test double with its port.
type subject struct {
	ordersv1connect.ClaimLinesClient
	orders *linestest.Orders
}

func (s *subject) Place(t *testing.T, placed claimlinestest.Order) []string {
	t.Helper()
	ids := make([]string, 0, len(placed.Lines))
	for _, wanted := range placed.Lines {
		id := s.orders.Place(uuid.MustParse(wanted.Seller), placed.No, wanted.State, wanted.Quantity)[0]
		s.orders.Correct(id, func(l *linestest.Line) { l.Paid = wanted.Paid })
		ids = append(ids, id.String())
	}
	s.orders.Spend(uuid.MustParse(claimlinestest.Seller), placed.No, placed.Points)
	s.orders.Backdate(placed.No, claimlinestest.PaidAt, claimlinestest.DeliveredAt)
	return ids
}

func (s *subject) Prepare(t *testing.T, _, itemID string) error {
	t.Helper()
	return s.process(itemID, func(l *linestest.Line) bool { return !l.Closed }, func(l *linestest.Line) { l.Status = "preparing" })
}

func (s *subject) Ship(t *testing.T, _, itemID string, parcel claimlinestest.Parcel) error {
	t.Helper()
	open := func(l *linestest.Line) bool { return l.Open || !l.IsExchange }
	return s.process(itemID, open, func(l *linestest.Line) {
		l.Status, l.Carrier, l.TrackingNo = "shipping", parcel.CarrierName, parcel.TrackingNo
	})
}

// process performs a seller's change of a line, if it is allowed.
func (s *subject) process(itemID string, may func(*linestest.Line) bool, do func(*linestest.Line)) error {
	err := errors.New("refused")
	s.orders.Correct(uuid.MustParse(itemID), func(l *linestest.Line) {
		if l.ClaimNo == "" && may(l) && slices.Contains([]string{"paid", "preparing"}, l.Status) {
			do(l)
			err = nil
		}
	})
	return err
}

func (s *subject) Correct(t *testing.T, _, itemID, state string, parcel claimlinestest.Parcel) error {
	t.Helper()
	return s.orders.CorrectAsOperator(uuid.MustParse(itemID), func(l *linestest.Line) {
		l.Status = state
		if parcel != (claimlinestest.Parcel{}) {
			l.Carrier, l.TrackingNo = parcel.CarrierName, parcel.TrackingNo
		}
		if state == "paid" || state == "preparing" {
			l.Carrier, l.TrackingNo = "", ""
		}
		switch now := time.Now(); {
		case state != "delivered":
			l.DeliveredAt = nil
		case l.DeliveredAt == nil:
			l.DeliveredAt = &now
		}
	})
}

func (s *subject) Lines(t *testing.T, orderNo string) []claimlinestest.Line {
	t.Helper()
	placed := s.orders.Lines(orderNo)
	found := make([]claimlinestest.Line, 0, len(placed))
	for _, l := range placed {
		line := claimlinestest.Line{
			ID: l.ID.String(), Seller: l.Seller.String(), Code: l.Code(), State: l.Status, OptionName: l.OptionName, Quantity: l.Quantity, Paid: l.Paid,
			HasActiveClaim: l.ClaimNo != "", IsExchange: l.IsExchange, Parcel: claimlinestest.Parcel{CarrierName: l.Carrier, TrackingNo: l.TrackingNo},
		}
		if l.SplitFrom != uuid.Nil {
			line.SplitFrom = l.SplitFrom.String()
		}
		found = append(found, line)
	}
	return found
}

func (s *subject) Stamps(t *testing.T, orderNo string) []int64 {
	t.Helper()
	return []int64{s.orders.Changes(orderNo)}
}
