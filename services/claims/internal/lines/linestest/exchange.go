package linestest

import (
	"context"

	"connectrpc.com/connect"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// AddExchangeLine implements the contract.
func (o *Orders) AddExchangeLine(_ context.Context, request *connect.Request[ordersv1.AddExchangeLineRequest]) (*connect.Response[ordersv1.AddExchangeLineResponse], error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	hold := o.holds[request.Msg.GetClaimNo()]
	if hold == nil || hold.Lines[0].Exchange == uuid.Nil {
		if reason := o.unfit(request.Msg.GetClaimNo(), hold); reason != "" {
			return nil, because(apierr.ClaimNotInspectable, reason)
		}
		for _, wanted := range request.Msg.GetLines() {
			o.replace(hold, wanted)
		}
	}
	answer := &ordersv1.AddExchangeLineResponse{}
	for _, held := range hold.Lines {
		if line := o.line(held.Exchange); hold.State == "active" && !request.Msg.GetWaiting() {
			line.Open = true
		}
		answer.ExchangeItemIds = append(answer.ExchangeItemIds, held.Exchange.String())
	}
	return connect.NewResponse(answer), nil
}

// replace creates the line that stands in for a held one.
func (o *Orders) replace(hold *Hold, wanted *ordersv1.ExchangeLine) {
	for i := range hold.Lines {
		if hold.Lines[i].Item.String() != wanted.GetItemId() {
			continue
		}
		old := o.line(hold.Lines[i].Item)
		line := &Line{
			ID: uuid.New(), Seller: old.Seller, OrderNo: old.OrderNo, Seq: o.nextSeq(old.OrderNo), Status: "paid",
			Quantity: hold.Lines[i].Quantity, UnitPrice: old.UnitPrice, Paid: wanted.GetLinePaidAmount(),
			OptionName: wanted.GetExchangeOptionName(), IsExchange: true, Replaces: old.ID,
		}
		o.lines = append(o.lines, line)
		hold.Lines[i].Exchange = line.ID
	}
}

// ShipExchangeLine implements the contract.
func (o *Orders) ShipExchangeLine(_ context.Context, request *connect.Request[ordersv1.ShipExchangeLineRequest]) (*connect.Response[ordersv1.ShipExchangeLineResponse], error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	no := request.Msg.GetClaimNo()
	hold := o.holds[no]
	if hold == nil || hold.Lines[0].Exchange == uuid.Nil {
		return nil, because(apierr.ClaimNotReshippable, "replacement")
	}
	if hold.State != "settled" {
		if reason := o.unfit(no, hold); reason != "" {
			return nil, because(apierr.ClaimNotReshippable, reason)
		}
		if err := o.shippable(hold, request.Msg); err != nil {
			return nil, err
		}
		for _, held := range hold.Lines {
			line := o.line(held.Exchange)
			line.Status, line.Carrier, line.TrackingNo = "shipping", request.Msg.GetCarrierName(), request.Msg.GetTrackingNo()
		}
		o.settle(no, hold)
	}
	return connect.NewResponse(&ordersv1.ShipExchangeLineResponse{Lines: settled(hold)}), nil
}

// shippable tells whether the lines that stand in can go into a parcel, or are in it.
func (o *Orders) shippable(hold *Hold, parcel *ordersv1.ShipExchangeLineRequest) error {
	for _, held := range hold.Lines {
		line := o.line(held.Exchange)
		switch {
		case line.Carrier == "" && line.ClaimNo != "":
			return apierr.ExchangeItemShipFailed
		case line.Carrier != "" && (line.Carrier != parcel.GetCarrierName() || line.TrackingNo != parcel.GetTrackingNo()):
			return because(apierr.ClaimNotReshippable, "parcel")
		}
	}
	return nil
}

// Convert implements the contract.
func (o *Orders) Convert(_ context.Context, request *connect.Request[ordersv1.ConvertRequest]) (*connect.Response[ordersv1.ConvertResponse], error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	no, returnNo := request.Msg.GetClaimNo(), request.Msg.GetReturnClaimNo()
	hold := o.holds[no]
	if hold == nil || (hold.State != "active" && hold.ReturnNo != returnNo) {
		return nil, apierr.IdempotencyUnresolved
	}
	if hold.State == "active" {
		taken := &Hold{State: "active", Type: "return"}
		for _, held := range hold.Lines {
			o.line(held.Item).ClaimNo = returnNo
			taken.Lines = append(taken.Lines, HeldLine{Item: held.Item, Quantity: held.Quantity})
			if line := o.line(held.Exchange); line != nil && line.Status == "paid" {
				line.Status = "canceled"
			}
		}
		hold.State, hold.ReturnNo, o.holds[returnNo] = "converted", returnNo, taken
	}
	return connect.NewResponse(&ordersv1.ConvertResponse{}), nil
}
