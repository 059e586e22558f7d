// Package ordertest generates orders for tests and computes, from the placements alone, the expected view of a seller. It depends
// neither on SQL nor on HTTP, so that tests of the store and of the API check against the same expectation.
package ordertest

import (
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/services/orders/internal/order"
)

// Epoch is before all times in tests, at least a year before now.
var Epoch = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// ClaimTypes returns the types of claims in the order of the API.
func ClaimTypes() []order.ClaimType {
	return []order.ClaimType{order.ClaimCancel, order.ClaimReturn, order.ClaimExchange}
}

var ways = [][]order.State{
	nil,
	{order.Preparing},
	{order.Shipping},
	{order.Preparing, order.Shipping},
	{order.Preparing, order.Shipping, order.Delivered},
	{order.Preparing, order.Shipping, order.Delivered, order.Confirmed},
	{order.Shipping, order.Delivered, order.Returned},
	{order.Preparing, order.Shipping, order.Delivered, order.Exchanged},
	{order.Canceled},
	{order.Preparing, order.Canceled},
	{order.Shipping, order.Preparing},
	{order.Shipping, order.Paid, order.Shipping, order.Delivered},
}

// New returns a valid paid order with one new line for each of the sellers.
func New(no string, paidAt time.Time, sellers ...uuid.UUID) order.Placement {
	p := order.Placement{
		No: no, MemberID: "member-1", Currency: "KRW", PaidAt: paidAt,
		Contact: order.Contact{
			OrdererName: "김민준", OrdererPhone: "010-0123-4567", RecipientName: "이서연", RecipientPhone: "010-0765-4321",
			Zipcode: "06236", Address1: "서울특별시 강남구 테헤란로 152", Address2: "3층", ShipMemo: "문 앞에 놓아주세요",
		},
	}
	for _, seller := range sellers {
		p.Parts = append(p.Parts, order.Part{
			SellerID: seller,
			Charges:  order.Charges{PointUsed: 500, ShippingFeeBase: 3000, ShippingFeePaid: 3000},
			Lines:    []order.Line{NewLine()},
		})
	}
	return p
}

// NewLine returns a line in its initial state.
func NewLine() order.Line {
	return order.Line{
		ID: uuid.New(), ProductID: "p-1", ProductName: "순면 티셔츠", OptionName: "블랙 / M",
		Quantity: 2, ListPrice: 15_900, UnitPrice: 12_900, Discount: 1000,
	}
}

// History gives a line a history: it entered the states after the payment, at intervals of every. The line gets a parcel if the
// last state shows one.
func History(line *order.Line, paidAt time.Time, every time.Duration, states ...order.State) {
	line.History, line.Shipment = nil, nil
	for i, state := range states {
		line.History = append(line.History, order.StateChange{To: state, At: paidAt.Add(time.Duration(i+1) * every)})
	}
	if line.Life(paidAt).State.Shows().Parcel {
		company := "가온물류"
		line.Shipment = &order.SentParcel{CarrierName: "CJ대한통운", TrackingNo: "612345678901", LogisticsCompany: &company}
	}
}

// Random returns a valid order of some of the sellers in any state, paid within the year after Epoch, or occasionally pending.
// Times are whole hours, so that filters hit their bounds.
func Random(r *rand.Rand, no string, sellers []uuid.UUID) order.Placement {
	paidAt := Epoch.Add(time.Duration(r.IntN(300*24)) * time.Hour)
	p := New(no, paidAt)
	if r.IntN(10) == 0 {
		p.PaidAt = time.Time{}
	}
	if r.IntN(8) == 0 {
		p.Contact = order.Contact{}
	}
	for _, i := range r.Perm(len(sellers))[:1+r.IntN(len(sellers))] {
		part := order.Part{SellerID: sellers[i], Charges: order.Charges{
			PointUsed: r.Int64N(3) * 100, ShippingFeeBase: 3000, ShippingFeePaid: r.Int64N(2) * 3000,
		}}
		for range 1 + r.IntN(3) {
			part.Lines = append(part.Lines, randomLine(r, p.PaidAt))
		}
		p.Parts = append(p.Parts, part)
	}
	return p
}

func randomLine(r *rand.Rand, paidAt time.Time) order.Line {
	line := NewLine()
	line.Quantity = 1 + r.Int64N(5)
	line.UnitPrice = 1000 * r.Int64N(50)
	line.Discount = r.Int64N(line.UnitPrice*line.Quantity + 1)
	if r.IntN(2) == 0 {
		line.ShipBy = Epoch.Add(time.Duration(r.IntN(310)) * 24 * time.Hour)
	}
	if !paidAt.IsZero() {
		every := time.Duration(r.IntN(100)) * time.Hour
		History(&line, paidAt, every, ways[r.IntN(len(ways))]...)
	}
	if line.Shipment != nil {
		line.Shipment.TrackingNo = strconv.FormatInt(612_300_000_000+r.Int64N(3), 10)
		if r.IntN(2) == 0 {
			line.Shipment.LogisticsCompany = nil
		}
	}
	return line
}
