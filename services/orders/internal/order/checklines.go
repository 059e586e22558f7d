package order

import (
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/invalid"
)

func (c *checker) parts(path string, p *Placement) {
	switch lines := p.Lines(); {
	case len(p.Parts) == 0:
		c.Add(path, apierr.FieldTooFew, "has no seller")
	case lines > MaxLines:
		c.Add(path, apierr.FieldTooMany, fmt.Sprintf("has %d lines in all; %d is the most", lines, MaxLines))
		return
	}
	sellers, items := map[uuid.UUID]bool{}, map[uuid.UUID]bool{}
	for i := range p.Parts {
		c.part(fmt.Sprintf("%s[%d]", path, i), &p.Parts[i], p.PaidAt, sellers, items)
	}
}

// part checks one seller's part. sellers and items are those of the preceding parts.
func (c *checker) part(path string, part *Part, paidAt time.Time, sellers, items map[uuid.UUID]bool) {
	switch {
	case part.SellerID == uuid.Nil:
		c.Add(path+".seller_id", apierr.FieldMalformed, "is not a UUID")
	case sellers[part.SellerID]:
		c.Add(path+".seller_id", apierr.FieldRepeated, "stands twice in the order")
	}
	sellers[part.SellerID] = true
	c.Number(path+".point_used_amount", part.Charges.PointUsed, 0, MaxAmount)
	c.Number(path+".shipping_fee_base", part.Charges.ShippingFeeBase, 0, MaxAmount)
	c.Number(path+".shipping_fee_paid", part.Charges.ShippingFeePaid, 0, MaxAmount)
	if len(part.Lines) == 0 {
		c.Add(path+".lines", apierr.FieldTooFew, "has no line")
	}
	for i := range part.Lines {
		linePath := fmt.Sprintf("%s.lines[%d]", path, i)
		line := &part.Lines[i]
		if items[line.ID] && line.ID != uuid.Nil {
			c.Add(linePath+".item_id", apierr.FieldRepeated, "stands twice in the order")
		}
		items[line.ID] = true
		c.line(linePath, line, paidAt)
	}
}

func (c *checker) line(path string, line *Line, paidAt time.Time) {
	c.Text(path+".product_id", line.ProductID, invalid.ID.Optional())
	c.Text(path+".product_name", line.ProductName, invalid.ProductName)
	c.Text(path+".option_name", line.OptionName, invalid.OptionName.Optional())
	c.Number(path+".list_price", line.ListPrice, 0, MaxAmount)
	c.amounts(path, line)
	c.Append(CheckShipBy(path+".ship_by", line.ShipBy)...)
	c.history(path+".history", line.History, paidAt)
	c.shipment(path+".shipment", line.Shipment, line.Life(paidAt).State)
}

func (c *checker) amounts(path string, line *Line) {
	quantity := c.Number(path+".quantity", line.Quantity, 1, MaxQuantity)
	price := c.Number(path+".unit_price", line.UnitPrice, 0, MaxAmount)
	discount := c.Number(path+".discount_amount", line.Discount, 0, MaxAmount)
	if !quantity || !price || !discount {
		return // the product below could overflow
	}
	switch prices := line.Prices(); {
	case prices.Line > MaxAmount:
		c.Add(path+".unit_price", apierr.FieldRange, fmt.Sprintf("times the quantity is more than %d", int64(MaxAmount)))
	case prices.Discount > prices.Line:
		c.Add(path+".discount_amount", apierr.FieldRange, "is more than the unit price times the quantity")
	}
}

func (c *checker) history(path string, history []StateChange, paidAt time.Time) {
	switch {
	case len(history) == 0:
		return
	case paidAt.IsZero():
		c.Add(path, apierr.FieldNotAllowed, "is only for orders that are paid")
		return
	case len(history) > maxHistory:
		c.Add(path, apierr.FieldTooMany, fmt.Sprintf("has more than %d changes", maxHistory))
		return
	}
	state, at := Paid, paidAt
	for i, change := range history {
		step := fmt.Sprintf("%s[%d]", path, i)
		if !Follows(state, change.To) {
			c.Add(step+".item_status", apierr.FieldNotAllowed, fmt.Sprintf("does not follow %q", state), invalid.Names(next(state))...)
			return
		}
		c.moment(step+".changed_at", change.At, at)
		state, at = change.To, change.At
	}
}

// shipment checks that a line has a parcel if and only if its state shows one.
func (c *checker) shipment(path string, shipment *SentParcel, state State) {
	switch shows := state.Shows(); {
	case shipment == nil && shows.Parcel:
		c.Add(path, apierr.FieldRequired, fmt.Sprintf("is required in %q", state))
	case shipment != nil && !shows.Parcel:
		c.Add(path, apierr.FieldNotAllowed, fmt.Sprintf("is not for %q", state))
	case shipment != nil:
		c.pastParcel(path, shipment)
	}
}

func (c *checker) pastParcel(path string, shipment *SentParcel) {
	name, number := path+".carrier_name", path+".tracking_no"
	if c.Text(name, shipment.CarrierName, oneLine(invalid.CarrierName)) {
		if _, err := carrier.ParseName(shipment.CarrierName); err != nil {
			c.NotAllowed(name, carrier.Names()...)
		}
	}
	if c.Text(number, shipment.TrackingNo, oneLine(invalid.TrackingNo)) {
		switch _, err := carrier.ParseTrackingNo(shipment.TrackingNo); {
		case errors.Is(err, apierr.ShipmentFieldsRequired):
			c.Note(number, apierr.FieldEmpty, apierr.IsBlank)
		case err != nil:
			c.Note(number, apierr.FieldTooLong, apierr.LigaturesLong.With(carrier.MaxTrackingNoChars))
		}
	}
	if company := shipment.LogisticsCompany; company != nil {
		c.Text(path+".logistics_company", *company, oneLine(invalid.Logistics.Optional()))
	}
}

// oneLine returns the kind without control characters, which no shipment has.
func oneLine(kind invalid.Text) invalid.Text {
	kind.Prose, kind.NoControls = false, true
	return kind
}

func (c *checker) parcel(path string, shipment *SentParcel) {
	c.Text(path+".carrier_name", shipment.CarrierName, invalid.CarrierName)
	c.Text(path+".tracking_no", shipment.TrackingNo, invalid.TrackingNo)
	if shipment.LogisticsCompany != nil {
		c.Text(path+".logistics_company", *shipment.LogisticsCompany, invalid.Logistics.Optional())
	}
}
