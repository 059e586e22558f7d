package market

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// Fresh generates a new order with a part of every seller of the plan, which is paid at the given time and in its initial state.
// The part of the first seller has as many lines as are wanted, or any number if lines is 0. number identifies the order; the
// order numbers are shared with the plan.
func (m *Market) Fresh(number int, at time.Time, lines int) *ordersv1.Order {
	d := newDraw(m.plan.Seed, "fresh order", number)
	made := &ordersv1.Order{OrderNo: m.orderNo(number, at), Currency: currency, PaidAt: timestamppb.New(at)}
	made.MemberId, made.Contact = m.member(d)
	for seller := range m.plan.Sellers {
		part := &ordersv1.SellerPart{SellerId: m.plan.Sellers[seller].ID, ShippingFeeBase: shippingFee}
		count := m.share(d, "lines of a seller")
		if seller == 0 && lines > 0 {
			count = lines
		}
		var paid int64
		for range count {
			line := m.line(d, seller, at)
			part.Lines, paid = append(part.Lines, line), paid+paidFor(line)
		}
		m.charge(d, part, seller, paid)
		made.Sellers = append(made.Sellers, part)
	}
	return made
}

// FreshClaimNo returns the number of a new claim, of which the refund fails or needs an account with the ending for it.
func (m *Market) FreshClaimNo(number int, at time.Time, ending string) string {
	return "C" + m.orderNo(claimOrders+number, at) + ending
}

// Parcel generates a parcel.
func (m *Market) Parcel(number int) *ordersv1.Shipment {
	return m.parcel(newDraw(m.plan.Seed, "parcel", number))
}

// Option generates the option of a product for which a customer exchanges another one.
func (m *Market) Option(number int) string {
	d := newDraw(m.plan.Seed, "option", number)
	return pick(d, m.tables.categories).option(d)
}
