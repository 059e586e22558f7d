package linestest_test

import (
	"context"
	"testing"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/claims/internal/lines/linestest"
)

// exchange is an exchange of two lines, C-1, with the lines that stand in.
type exchange struct {
	*linestest.Orders
	t      *testing.T
	seller uuid.UUID
	lines  []*ordersv1.ClaimedLine
	fresh  []uuid.UUID
}

// reshipping brings an exchange as far as its lines that stand in.
func reshipping(t *testing.T) *exchange {
	t.Helper()
	e := &exchange{Orders: linestest.New(), t: t, seller: uuid.New()}
	added := &ordersv1.AddExchangeLineRequest{ClaimNo: "C-1"}
	for _, id := range e.Place(e.seller, "O-1", "delivered", 1, 1) {
		e.lines = append(e.lines, &ordersv1.ClaimedLine{ItemId: id.String(), Quantity: 1})
		added.Lines = append(added.Lines, &ordersv1.ExchangeLine{ItemId: id.String()})
	}
	require.NoError(t, e.open("C-1", ordersv1.ClaimType_CLAIM_TYPE_EXCHANGE, e.lines))
	_, err := e.AddExchangeLine(t.Context(), connect.NewRequest(added))
	require.NoError(t, err)
	for _, held := range e.Hold("C-1").Lines {
		e.fresh = append(e.fresh, held.Exchange)
	}
	return e
}

func (e *exchange) open(no string, kind ordersv1.ClaimType, lines []*ordersv1.ClaimedLine) error {
	return refusal(e.t, e.Open, &ordersv1.OpenRequest{ClaimNo: no, Type: kind, SellerId: e.seller.String(), OrderNo: "O-1", Lines: lines})
}

func (e *exchange) convert(returnNo string) error {
	return refusal(e.t, e.Convert, &ordersv1.ConvertRequest{ClaimNo: "C-1", ReturnClaimNo: returnNo})
}

func (e *exchange) reship(number string) error {
	return refusal(e.t, e.ShipExchangeLine, &ordersv1.ShipExchangeLineRequest{ClaimNo: "C-1", CarrierName: "한진택배", TrackingNo: number})
}

// travel ships a line that stands in on the order's side.
func (e *exchange) travel(n int, number string) {
	e.Correct(e.fresh[n], func(l *linestest.Line) { l.Status, l.Carrier, l.TrackingNo = "shipping", "한진택배", number })
}

// refusal makes a call that only its refusal is wanted of.
func refusal[I, O any](t *testing.T, call func(context.Context, *connect.Request[I]) (*connect.Response[O], error), message *I) error {
	t.Helper()
	_, err := call(t.Context(), connect.NewRequest(message))
	return err
}

// requireReason checks a refusal.
func requireReason(t *testing.T, err error, code apierr.Code, reason any) {
	t.Helper()
	require.ErrorIs(t, err, code)
	require.Equal(t, reason, apierr.From(err).Data["reason"])
}

func TestAConversionIsRefusedForTheReasonsOfTheContract(t *testing.T) {
	t.Parallel()
	e := reshipping(t)
	requireReason(t, refusal(t, e.Convert, &ordersv1.ConvertRequest{ClaimNo: "none", ReturnClaimNo: "R-1"}), apierr.ClaimNotFound, nil)
	requireReason(t, e.convert("C-1"), apierr.IdempotencyKeyReused, nil)
	e.travel(1, "1")
	requireReason(t, e.convert("R-1"), apierr.ClaimNotApprovable, "exchange_shipped")
	require.Equal(t, "active", e.Hold("C-1").State)
	require.Equal(t, linestest.Hold{}, e.Hold("R-1"))
	e.Correct(e.fresh[1], func(l *linestest.Line) { l.Status, l.Carrier, l.TrackingNo = "preparing", "", "" })

	for range 2 {
		require.NoError(t, e.convert("R-1"))
	}
	for _, line := range e.Lines("O-1")[2:] {
		require.Equal(t, "canceled", line.Status)
	}
	requireReason(t, e.convert("R-2"), apierr.ClaimNotApprovable, "hold")
	requireReason(t, e.open("R-1", ordersv1.ClaimType_CLAIM_TYPE_RETURN, e.lines), apierr.OrderItemHasActiveClaim, nil)
	requireReason(t, e.open("R-1", ordersv1.ClaimType_CLAIM_TYPE_RETURN, e.lines[:1]), apierr.ClaimNotApprovable, "lines")
	requireReason(t, e.open("C-1", ordersv1.ClaimType_CLAIM_TYPE_EXCHANGE, e.lines), apierr.ClaimNotApprovable, "hold")
}

func TestLinesThatWereShippedInTwoParcelsCompleteTheExchangeWithEither(t *testing.T) {
	t.Parallel()
	e := reshipping(t)
	e.travel(0, "1")
	requireReason(t, e.reship("2"), apierr.ClaimNotReshippable, "parcel")
	e.travel(1, "2")
	requireReason(t, e.reship("3"), apierr.ClaimNotReshippable, "parcel")
	for range 2 {
		require.NoError(t, e.reship("2"))
	}
	requireReason(t, e.reship("3"), apierr.ClaimNotReshippable, "parcel")
	require.Equal(t, "settled", e.Hold("C-1").State)
	for i, number := range []string{"1", "2"} {
		line := e.Lines("O-1")[2+i]
		require.Equal(t, []string{"shipping", number}, []string{line.Status, line.TrackingNo}, "each stays in its own parcel")
	}
}

func TestOneParcelTakesWhatIsStillToBeShipped(t *testing.T) {
	t.Parallel()
	e := reshipping(t)
	e.travel(0, "1")
	e.Correct(e.fresh[1], func(l *linestest.Line) { l.ClaimNo = "C-2" })
	requireReason(t, e.reship("1"), apierr.ExchangeItemShipFailed, nil)
	e.Correct(e.fresh[1], func(l *linestest.Line) { l.ClaimNo = "" })
	require.NoError(t, e.reship("1"))
	require.Equal(t, "1", e.Lines("O-1")[3].TrackingNo)
}
