package market

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// shippingFee is the price of a delivery in won, below the amount from which the seller ships
// free of charge.
const shippingFee = 3000

// part generates a seller's part of an order. paidAt is nil while the order is not paid.
func (m *Market) part(d draw, seller int, paidAt *timestamppb.Timestamp, at, now time.Time) *ordersv1.SellerPart {
	part := &ordersv1.SellerPart{SellerId: m.plan.Sellers[seller].ID, ShippingFeeBase: shippingFee}
	var together fate
	if paidAt != nil {
		together = m.fate(d, at, now)
	}
	var paid int64
	for range m.share(d, "lines of a seller") {
		line := m.line(d, seller, at)
		lot := together
		if paidAt != nil && m.share(d, "line with its own story") == 1 {
			lot = m.fate(d, at, now)
		}
		line.History, line.Shipment = lot.history, lot.parcel
		part.Lines = append(part.Lines, line)
		paid += paidFor(line)
	}
	m.charge(d, part, seller, paid)
	return part
}

func (m *Market) charge(d draw, part *ordersv1.SellerPart, seller int, paid int64) {
	part.PointUsedAmount = min(int64(m.share(d, "points used")), paid)
	if paid < m.shops[seller].freeShippingFrom {
		part.ShippingFeePaid = shippingFee
	}
}

func (m *Market) line(d draw, seller int, at time.Time) *ordersv1.Line {
	line := m.lineOf(d, one(d, m.shops[seller].products), at)
	if days := m.share(d, "days to ship"); days > 0 {
		line.ShipBy = timestamppb.New(shipBy(at, days))
	}
	return line
}

// shipBy returns the evening, in Korea, some days after a time.
func shipBy(at time.Time, days int) time.Time {
	year, month, day := at.In(korea).Date()
	return time.Date(year, month, day+days, 18, 0, 0, 0, korea)
}

func (m *Market) lineOf(d draw, bought product, at time.Time) *ordersv1.Line {
	quantity := int64(m.share(d, "quantity of a line"))
	percent := int64(m.share(d, "discount percent"))
	return &ordersv1.Line{
		ItemId:         d.uuid(at).String(),
		ProductId:      bought.id,
		ProductName:    bought.name,
		OptionName:     bought.of.option(d),
		Quantity:       quantity,
		ListPrice:      bought.listPrice,
		UnitPrice:      bought.unitPrice,
		DiscountAmount: bought.unitPrice * quantity * percent / 100 / 10 * 10,
	}
}

func paidFor(line *ordersv1.Line) int64 {
	return line.GetUnitPrice()*line.GetQuantity() - line.GetDiscountAmount()
}
