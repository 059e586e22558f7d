package intake

import (
	"fmt"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/timestamp"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/orders/internal/order"
)

type converter struct{ invalid.Problems }

func placementsOf(sent []*ordersv1.Order) ([]order.Placement, []apierr.FieldError) {
	c := &converter{}
	placements := make([]order.Placement, len(sent))
	for i, message := range sent {
		placements[i] = c.placement(fmt.Sprintf("orders[%d]", i), message)
	}
	return placements, c.List()
}

func (c *converter) placement(path string, sent *ordersv1.Order) order.Placement {
	contact := sent.GetContact()
	p := order.Placement{
		No: sent.GetOrderNo(), MemberID: sent.GetMemberId(), Currency: sent.GetCurrency(),
		Contact: order.Contact{
			OrdererName: contact.GetOrdererName(), OrdererPhone: contact.GetOrdererPhone(),
			RecipientName: contact.GetRecipientName(), RecipientPhone: contact.GetRecipientPhone(),
			Zipcode: contact.GetZipcode(), Address1: contact.GetAddress1(), Address2: contact.GetAddress2(),
			ShipMemo: contact.GetShipMemo(),
		},
		Parts: make([]order.Part, len(sent.GetSellers())),
	}
	if sent.GetPaidAt() != nil {
		p.PaidAt = c.given(path+".paid_at", sent.GetPaidAt())
	}
	for i, part := range sent.GetSellers() {
		p.Parts[i] = c.part(fmt.Sprintf("%s.sellers[%d]", path, i), part)
	}
	return p
}

func (c *converter) part(path string, sent *ordersv1.SellerPart) order.Part {
	var unread invalid.Problems // an invalid id becomes the zero id, which the rules refuse
	part := order.Part{
		SellerID: unread.UUID("", sent.GetSellerId()),
		Charges: order.Charges{
			PointUsed: sent.GetPointUsedAmount(), ShippingFeeBase: sent.GetShippingFeeBase(), ShippingFeePaid: sent.GetShippingFeePaid(),
		},
		Lines: make([]order.Line, len(sent.GetLines())),
	}
	for i, line := range sent.GetLines() {
		part.Lines[i] = c.line(fmt.Sprintf("%s.lines[%d]", path, i), line)
	}
	return part
}

func (c *converter) line(path string, sent *ordersv1.Line) order.Line {
	line := order.Line{
		ProductID: sent.GetProductId(), ProductName: sent.GetProductName(), OptionName: sent.GetOptionName(),
		Quantity: sent.GetQuantity(), ListPrice: sent.GetListPrice(), UnitPrice: sent.GetUnitPrice(),
		Discount: sent.GetDiscountAmount(),
	}
	if sent.GetShipBy() != nil {
		line.ShipBy = c.given(path+".ship_by", sent.GetShipBy())
	}
	if sent.GetItemId() != "" {
		line.ID = c.UUID(path+".item_id", sent.GetItemId())
	}
	for i, change := range sent.GetHistory() {
		line.History = append(line.History, order.StateChange{
			To: order.State(change.GetItemStatus()),
			At: c.moment(fmt.Sprintf("%s.history[%d].changed_at", path, i), change.GetChangedAt()),
		})
	}
	if shipment := sent.GetShipment(); shipment != nil {
		line.Shipment = shipmentOf(shipment)
	}
	return line
}

func shipmentOf(sent *ordersv1.Shipment) *order.SentParcel {
	return &order.SentParcel{
		CarrierName: sent.GetCarrierName(), TrackingNo: sent.GetTrackingNo(), LogisticsCompany: sent.LogisticsCompany,
	}
}

// moment converts a required timestamp, truncated to microseconds.
func (c *converter) moment(path string, sent *timestamppb.Timestamp) time.Time {
	if err := sent.CheckValid(); err != nil {
		c.Add(path, apierr.FieldMalformed, "is not a timestamp")
		return time.Time{}
	}
	return sent.AsTime().Truncate(time.Microsecond)
}

// given is moment for a time that may be absent. To the rules the zero time stands for an absent one, so a timestamp that
// converts to it is refused here.
func (c *converter) given(path string, sent *timestamppb.Timestamp) time.Time {
	at := c.moment(path, sent)
	if !at.IsZero() {
		return at
	}
	if sent.IsValid() {
		c.Append(timestamp.CheckReported(path, at)...)
	}
	return timestamp.Earliest
}
