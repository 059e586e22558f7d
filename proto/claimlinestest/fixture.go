package claimlinestest

import (
	"context"
	"crypto/rand"
	"slices"
	"testing"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// The types of claims.
const (
	cancel   = ordersv1.ClaimType_CLAIM_TYPE_CANCEL
	giveBack = ordersv1.ClaimType_CLAIM_TYPE_RETURN
	exchange = ordersv1.ClaimType_CLAIM_TYPE_EXCHANGE
)

// fixture is a service with the order of one test.
type fixture struct {
	Subject
	t *testing.T
	// no is the number of the order, items are the ids of its lines; the last one is that of the other seller.
	no    string
	items []string
}

// in is a line of the seller in a state, whose paid amount its pieces do not divide.
func in(state string, quantity int64) NewLine {
	return NewLine{Seller: Seller, State: state, Quantity: quantity, Paid: UnitPrice*quantity - 1}
}

// place gives a test its order.
func place(t *testing.T, subject Subject, lines []NewLine) *fixture {
	t.Helper()
	b := &fixture{Subject: subject, t: t}
	b.no, b.items = b.place(lines...)
	return b
}

// place places an order of the seller's lines and one of the other seller's.
func (b *fixture) place(lines ...NewLine) (string, []string) {
	b.t.Helper()
	return b.placed(0, lines...)
}

// placed is place for an order on whose first part points were used.
func (b *fixture) placed(points int64, lines ...NewLine) (string, []string) {
	b.t.Helper()
	placed := Order{No: "O-" + rand.Text()[:12], Points: points, Lines: append(slices.Clone(lines), NewLine{
		Seller: Other, State: "paid", Quantity: 1, Paid: UnitPrice,
	})}
	return placed.No, b.Place(b.t, placed)
}

// number makes the number of a claim unique among all tests.
func (b *fixture) number(claim string) string { return claim + "-" + b.no }

// pieces is the quantity of the n-th line, from 0, that a claim concerns.
func (b *fixture) pieces(n int, quantity int64) *ordersv1.ClaimedLine {
	return &ordersv1.ClaimedLine{ItemId: b.items[n], Quantity: quantity}
}

// opening is a call that opens a claim.
func (b *fixture) opening(claim string, kind ordersv1.ClaimType, lines ...*ordersv1.ClaimedLine) *ordersv1.OpenRequest {
	return &ordersv1.OpenRequest{ClaimNo: b.number(claim), Type: kind, SellerId: Seller, OrderNo: b.no, Lines: lines}
}

// open opens a claim.
func (b *fixture) open(claim string, kind ordersv1.ClaimType, lines ...*ordersv1.ClaimedLine) *ordersv1.OpenResponse {
	b.t.Helper()
	return does(b, b.Open, b.opening(claim, kind, lines...))
}

func (b *fixture) release(claim string) {
	b.t.Helper()
	does(b, b.Release, &ordersv1.ReleaseRequest{ClaimNo: b.number(claim)})
}

func (b *fixture) settle(claim string) []*ordersv1.SettledLine {
	b.t.Helper()
	return does(b, b.Settle, &ordersv1.SettleRequest{ClaimNo: b.number(claim)}).GetLines()
}

func (b *fixture) convert(claim, returned string) {
	b.t.Helper()
	does(b, b.Convert, b.conversion(claim, returned))
}

func (b *fixture) conversion(claim, returned string) *ordersv1.ConvertRequest {
	return &ordersv1.ConvertRequest{ClaimNo: b.number(claim), ReturnClaimNo: b.number(returned)}
}

// adding is a call that replaces what an exchange holds of these lines at no difference in price.
func (b *fixture) adding(claim string, lines ...int) *ordersv1.AddExchangeLineRequest {
	request := &ordersv1.AddExchangeLineRequest{ClaimNo: b.number(claim)}
	for _, n := range lines {
		request.Lines = append(request.Lines, &ordersv1.ExchangeLine{
			ItemId: b.items[n], ExchangeOptionName: "파랑 / L", LinePaidAmount: UnitPrice,
		})
	}
	return request
}

// add replaces what an exchange holds of these lines and returns the ids of the new ones.
func (b *fixture) add(claim string, lines ...int) []string {
	b.t.Helper()
	return does(b, b.AddExchangeLine, b.adding(claim, lines...)).GetExchangeItemIds()
}

// exchange opens an exchange of one piece of each of these lines and returns the ids of those that replace them.
func (b *fixture) exchange(claim string, lines ...int) []string {
	b.t.Helper()
	claimed := make([]*ordersv1.ClaimedLine, 0, len(lines))
	for _, n := range lines {
		claimed = append(claimed, b.pieces(n, 1))
	}
	b.open(claim, exchange, claimed...)
	return b.add(claim, lines...)
}

// reshipping is a call that ships the exchange lines in a parcel.
func (b *fixture) reshipping(claim string, parcel Parcel) *ordersv1.ShipExchangeLineRequest {
	return &ordersv1.ShipExchangeLineRequest{
		ClaimNo: b.number(claim), CarrierName: parcel.CarrierName, TrackingNo: parcel.TrackingNo,
	}
}

// registered is reshipping of C-1 under the name of a registration.
func (b *fixture) registered(ref string, parcel Parcel) *ordersv1.ShipExchangeLineRequest {
	request := b.reshipping("C-1", parcel)
	request.Ref = ref
	return request
}

func (b *fixture) reship(claim string, parcel Parcel) []*ordersv1.SettledLine {
	b.t.Helper()
	return does(b, b.ShipExchangeLine, b.reshipping(claim, parcel)).GetLines()
}

// check asks about a claim that is to be reshipped in a parcel; the zero one stands for none.
func (b *fixture) check(claim string, parcel Parcel) *ordersv1.CheckResponse {
	b.t.Helper()
	request := &ordersv1.CheckRequest{ClaimNo: b.number(claim), CarrierName: parcel.CarrierName, TrackingNo: parcel.TrackingNo}
	before := b.state()
	answer, err := b.Check(b.t.Context(), connect.NewRequest(request))
	require.NoError(b.t, err)
	require.Equal(b.t, before, b.state(), "asking changes nothing")
	return answer.Msg
}

// remains fails if an operator can correct a line.
func (b *fixture) remains(itemID string) {
	b.t.Helper()
	before := b.state()
	require.ErrorContains(b.t, b.Correct(b.t, b.no, itemID, "shipping", parcelB), "ORDER_ITEM_HAS_ACTIVE_CLAIM")
	require.Equal(b.t, before, b.state())
}

// ship ships a line on the order's side.
func (b *fixture) ship(itemID string, parcel Parcel) {
	b.t.Helper()
	require.NoError(b.t, b.Ship(b.t, b.no, itemID, parcel))
}

// correct puts a line into a state as an operator does.
func (b *fixture) correct(itemID, state string) {
	b.t.Helper()
	require.NoError(b.t, b.Correct(b.t, b.no, itemID, state, Parcel{}))
	require.Equal(b.t, state, b.line(itemID).State)
}

// line returns the line with the id.
func (b *fixture) line(itemID string) Line {
	b.t.Helper()
	for _, line := range b.Lines(b.t, b.no) {
		if line.ID == itemID {
			return line
		}
	}
	require.Fail(b.t, "no line "+itemID)
	return Line{}
}

// standing is all that can be seen of an order.
type standing struct {
	lines  []Line
	stamps []int64
}

func (b *fixture) state() standing {
	b.t.Helper()
	return standing{b.Lines(b.t, b.no), b.Stamps(b.t, b.no)}
}

// procedure is a call of the contract.
type procedure[I, O any] func(context.Context, *connect.Request[I]) (*connect.Response[O], error)

// does makes a call that changes the order, for all of its sellers, and repeats it.
func does[I, O any](b *fixture, call procedure[I, O], message *I) *O {
	b.t.Helper()
	before := b.Stamps(b.t, b.no)
	first, err := call(b.t.Context(), connect.NewRequest(message))
	require.NoError(b.t, err)
	for i, stamp := range b.Stamps(b.t, b.no) {
		require.Greater(b.t, stamp, before[i], "every seller sees that the order has changed")
	}
	repeats(b, call, message, first.Msg)
	return first.Msg
}

// quietly makes a call that changes nothing that anybody sees, and repeats it.
func quietly[I, O any](b *fixture, call procedure[I, O], message *I) {
	b.t.Helper()
	for range 2 {
		before := b.state()
		_, err := call(b.t.Context(), connect.NewRequest(message))
		require.NoError(b.t, err)
		require.Equal(b.t, before, b.state())
	}
}

// repeats makes a call that was made before: it answers the same and changes nothing.
func repeats[I, O any](b *fixture, call procedure[I, O], message *I, first *O) {
	b.t.Helper()
	before := b.state()
	again, err := call(b.t.Context(), connect.NewRequest(message))
	require.NoError(b.t, err)
	require.Equal(b.t, text(first), text(again.Msg), "a repetition answers as the first call did")
	require.Equal(b.t, before, b.state(), "a repetition changes nothing")
}

// text writes a message so that two that are equal are the same text.
func text(message any) string { return prototext.Format(message.(proto.Message)) }
