package lines_test

import (
	"context"
	"crypto/rand"
	"slices"
	"testing"

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
	*subject
	t *testing.T
	// no is the number of the order, items are the ids of its lines; the last one is that of the other seller.
	no    string
	items []string
}

// in returns a line of the seller in a state, with a paid amount that is not divisible by its pieces.
func in(state string, quantity int64) NewLine {
	return NewLine{Seller: Seller, State: state, Quantity: quantity, Paid: UnitPrice*quantity - 1}
}

// place returns the fixture of a test with its order.
func place(t *testing.T, s *subject, lines []NewLine) *fixture {
	t.Helper()
	b := &fixture{subject: s, t: t}
	b.no, b.items = b.place(lines...)
	return b
}

// place places an order of the seller's lines and one of the other seller's.
func (b *fixture) place(lines ...NewLine) (string, []string) {
	b.t.Helper()
	return b.placed(0, lines...)
}

// placed is place for an order for whose first part points were used.
func (b *fixture) placed(points int64, lines ...NewLine) (string, []string) {
	b.t.Helper()
	placed := Order{No: "O-" + rand.Text()[:12], Points: points, Lines: append(slices.Clone(lines), NewLine{
		Seller: Other, State: "paid", Quantity: 1, Paid: UnitPrice,
	})}
	return placed.No, b.Place(b.t, placed)
}

// number makes the number of a claim unique among all tests.
func (b *fixture) number(claim string) string { return claim + "-" + b.no }

// pieces returns a quantity of the n-th line, from 0, for a claim.
func (b *fixture) pieces(n int, quantity int64) *ordersv1.ClaimedLine {
	return &ordersv1.ClaimedLine{ItemId: b.items[n], Quantity: quantity}
}

// opening returns a request that opens a claim.
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

// adding returns a request that replaces the pieces of these lines that an exchange holds, at no difference in
// price.
func (b *fixture) adding(claim string, lines ...int) *ordersv1.AddExchangeLineRequest {
	request := &ordersv1.AddExchangeLineRequest{ClaimNo: b.number(claim)}
	for _, n := range lines {
		request.Lines = append(request.Lines, &ordersv1.ExchangeLine{
			ItemId: b.items[n], ExchangeOptionName: "파랑 / L", LinePaidAmount: UnitPrice,
		})
	}
	return request
}

// add replaces the pieces of these lines that an exchange holds and returns the ids of the new lines.
func (b *fixture) add(claim string, lines ...int) []string {
	b.t.Helper()
	return does(b, b.AddExchangeLine, b.adding(claim, lines...)).GetExchangeItemIds()
}

// exchange opens an exchange of one piece of each of these lines and returns the ids of the replacement lines.
func (b *fixture) exchange(claim string, lines ...int) []string {
	b.t.Helper()
	claimed := make([]*ordersv1.ClaimedLine, 0, len(lines))
	for _, n := range lines {
		claimed = append(claimed, b.pieces(n, 1))
	}
	b.open(claim, exchange, claimed...)
	return b.add(claim, lines...)
}

// reshipping returns a request that ships the exchange lines in a parcel.
func (b *fixture) reshipping(claim string, parcel Parcel) *ordersv1.ShipExchangeLineRequest {
	return &ordersv1.ShipExchangeLineRequest{
		ClaimNo: b.number(claim), CarrierName: parcel.CarrierName, TrackingNo: parcel.TrackingNo,
	}
}

// registered is reshipping for C-1 with the reference of a registration.
func (b *fixture) registered(ref string, parcel Parcel) *ordersv1.ShipExchangeLineRequest {
	request := b.reshipping("C-1", parcel)
	request.Ref = ref
	return request
}

func (b *fixture) reship(claim string, parcel Parcel) []*ordersv1.SettledLine {
	b.t.Helper()
	return does(b, b.ShipExchangeLine, b.reshipping(claim, parcel)).GetLines()
}

// remains checks that an operator cannot correct a line.
func (b *fixture) remains(itemID string) {
	b.t.Helper()
	before := b.state()
	require.ErrorContains(b.t, b.Correct(b.t, b.no, itemID, "shipping", parcelB), "ORDER_ITEM_HAS_ACTIVE_CLAIM")
	require.Equal(b.t, before, b.state())
}

// ship ships a line as its seller does.
func (b *fixture) ship(itemID string, parcel Parcel) {
	b.t.Helper()
	require.NoError(b.t, b.Ship(b.t, b.no, itemID, parcel))
}

// correct moves a line to a state as an operator does.
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

// standing is the visible state of an order.
type standing struct {
	lines  []Line
	stamps []int64
}

func (b *fixture) state() standing {
	b.t.Helper()
	return standing{b.Lines(b.t, b.no), b.Stamps(b.t, b.no)}
}

// procedure is a procedure of the contract.
type procedure[I, O any] func(context.Context, *I) (*O, error)

// does makes a call that changes the order, for all of its sellers, and repeats it.
func does[I, O any](b *fixture, call procedure[I, O], message *I) *O {
	b.t.Helper()
	before := b.Stamps(b.t, b.no)
	first, err := call(b.t.Context(), message)
	require.NoError(b.t, err)
	for i, stamp := range b.Stamps(b.t, b.no) {
		require.Greater(b.t, stamp, before[i], "every seller sees that the order has changed")
	}
	repeats(b, call, message, first)
	return first
}

// quietly makes a call without a visible change, and repeats it.
func quietly[I, O any](b *fixture, call procedure[I, O], message *I) {
	b.t.Helper()
	for range 2 {
		before := b.state()
		_, err := call(b.t.Context(), message)
		require.NoError(b.t, err)
		require.Equal(b.t, before, b.state())
	}
}

// repeats makes a call again: it must return the same response and change nothing.
func repeats[I, O any](b *fixture, call procedure[I, O], message *I, first *O) {
	b.t.Helper()
	before := b.state()
	again, err := call(b.t.Context(), message)
	require.NoError(b.t, err)
	require.Equal(b.t, text(first), text(again), "a repetition answers as the first call did")
	require.Equal(b.t, before, b.state(), "a repetition changes nothing")
}

// text formats a message so that equal messages give equal texts.
func text(message any) string { return prototext.Format(message.(proto.Message)) }
