package linestest

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// AddExchangeLine implements the contract.
func (o *Orders) AddExchangeLine(_ context.Context, request *ordersv1.AddExchangeLineRequest) (*ordersv1.AddExchangeLineResponse, error) {
	if err := checkReplacements(request); err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	no, wanted := request.GetClaimNo(), request.GetLines()
	hold, err := o.held(no)
	if err != nil {
		return nil, err
	}
	if matches := hold.matches(wanted); !matches || !hold.replaced() {
		reason := o.unfit(no, hold)
		if reason == "" && !matches {
			reason = "replacement"
		}
		if reason != "" {
			return nil, because(apierr.ClaimNotInspectable, reason)
		}
		o.replace(hold, wanted)
	}
	hold.Sealed = hold.Sealed || hold.State == "active"
	answer := &ordersv1.AddExchangeLineResponse{}
	for _, replacement := range wanted {
		answer.ExchangeItemIds = append(answer.ExchangeItemIds, hold.line(replacement.GetItemId()).Exchange.String())
	}
	return answer, nil
}

// line returns the held part of a line; nil if the line is not held.
func (hold *Hold) line(id string) *HeldLine {
	for i := range hold.Lines {
		if hold.Lines[i].Item.String() == id {
			return &hold.Lines[i]
		}
	}
	return nil
}

// matches reports whether there is exactly one replacement for each line of an exchange, at a price that covers what is paid.
func (hold *Hold) matches(wanted []*ordersv1.ExchangeLine) bool {
	seen := map[string]bool{}
	for _, replacement := range wanted {
		held, price := hold.line(replacement.GetItemId()), replacement.GetUnitPrice()
		seen[replacement.GetItemId()] = held != nil && (price == 0 ||
			price <= maxAmount/held.Quantity && replacement.GetLinePaidAmount() <= price*held.Quantity)
	}
	unknown := slices.ContainsFunc(wanted, func(r *ordersv1.ExchangeLine) bool { return !seen[r.GetItemId()] })
	return hold.Type == "exchange" && !unknown && len(seen) == len(wanted) && len(wanted) == len(hold.Lines)
}

// replace creates the replacements of the held lines. One without a price keeps the discount of the original pieces.
func (o *Orders) replace(hold *Hold, wanted []*ordersv1.ExchangeLine) {
	for _, replacement := range wanted {
		held := hold.line(replacement.GetItemId())
		old := o.line(held.Item)
		discount := old.UnitPrice*held.Quantity - old.Paid*held.Quantity/old.Quantity
		unit := cmp.Or(replacement.GetUnitPrice(), (replacement.GetLinePaidAmount()+discount)/held.Quantity)
		line := &Line{
			ID: uuid.New(), Seller: old.Seller, OrderNo: old.OrderNo, Seq: o.nextSeq(old.OrderNo), Status: "paid",
			Quantity: held.Quantity, UnitPrice: unit, Paid: replacement.GetLinePaidAmount(),
			OptionName: replacement.GetExchangeOptionName(), IsExchange: true, Open: !hold.Frozen, Points: replacement.GetPointsAmount(),
		}
		o.lines = append(o.lines, line)
		held.Exchange = line.ID
	}
	o.changes[hold.orderNo]++
}

// ShipExchangeLine implements the contract.
func (o *Orders) ShipExchangeLine(
	_ context.Context, request *ordersv1.ShipExchangeLineRequest,
) (*ordersv1.ShipExchangeLineResponse, error) {
	no := request.GetClaimNo()
	if err := checkName("claim_no", no); err != nil {
		return nil, err
	}
	ref := request.GetRef()
	if err := checkRef(ref, 0); err != nil {
		return nil, err
	}
	parcel, err := carrier.ParseShipment(request.GetCarrierName(), request.GetTrackingNo(), nil)
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	hold, err := o.held(no)
	switch {
	case err != nil:
		return nil, err
	case slices.Contains(hold.Canceled, ref):
		return nil, because(apierr.ClaimNotReshippable, "canceled")
	case hold.State == "settled" && ref != "" && hold.Shipped == ref:
		return &ordersv1.ShipExchangeLineResponse{Lines: hold.settled()}, nil
	}
	if err := o.shippable(no, hold, parcel); err != nil {
		return nil, err
	}
	if hold.State != "settled" {
		hold.Shipped = ref
		for _, held := range hold.Lines {
			if line := o.line(held.Exchange); !line.shipped() {
				line.Status, line.Carrier, line.TrackingNo = "shipping", string(parcel.Carrier), string(parcel.TrackingNo)
			}
		}
		o.settle(hold)
	}
	return &ordersv1.ShipExchangeLineResponse{Lines: hold.settled()}, nil
}

// CancelReshipment implements the contract.
func (o *Orders) CancelReshipment(
	_ context.Context, request *ordersv1.CancelReshipmentRequest,
) (*ordersv1.CancelReshipmentResponse, error) {
	no, ref := request.GetClaimNo(), request.GetRef()
	if err := checkName("claim_no", no); err != nil {
		return nil, err
	}
	if err := checkRef(ref, 1); err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	hold, err := o.held(no)
	if err != nil {
		return nil, err
	}
	switch {
	case slices.Contains(hold.Canceled, ref):
	case hold.State == "settled":
		return nil, because(apierr.ClaimNotReshippable, "shipped")
	case hold.State != "active" || hold.Type != "exchange":
		return nil, because(apierr.ClaimNotReshippable, "hold")
	default:
		hold.Canceled = append(hold.Canceled, ref)
	}
	return &ordersv1.CancelReshipmentResponse{}, nil
}

// shippable returns an error unless the replacement lines can ship in the parcel, or have shipped in it and complete the exchange.
func (o *Orders) shippable(no string, hold *Hold, parcel carrier.Shipment) error {
	if !hold.replaced() {
		return because(apierr.ClaimNotReshippable, "replacement")
	}
	active := hold.State != "settled"
	if reason := o.unfit(no, hold); reason != "" && active {
		return because(apierr.ClaimNotReshippable, reason)
	}
	found := map[string]int{}
	for _, held := range hold.Lines {
		found[o.line(held.Exchange).standing(parcel)]++
	}
	switch {
	case found["elsewhere"] > 0 && (found["here"] == 0 || active && found["waiting"]+found["held"] > 0):
		return because(apierr.ClaimNotReshippable, "parcel")
	case active && found["held"] > 0:
		return apierr.ExchangeItemShipFailed
	default:
		return nil
	}
}

// standing returns the effect of a reshipment in a parcel on a replacement line.
func (l *Line) standing(parcel carrier.Shipment) string {
	switch {
	case l.shipped() && l.Carrier == string(parcel.Carrier) && l.TrackingNo == string(parcel.TrackingNo):
		return "here"
	case l.shipped():
		return "elsewhere"
	case l.ClaimNo != "":
		return "held"
	default:
		return "waiting"
	}
}
