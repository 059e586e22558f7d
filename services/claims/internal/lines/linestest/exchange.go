package linestest

import (
	"context"
	"slices"
	"strings"
	"unicode"

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
			if strings.ContainsFunc(wanted.GetExchangeOptionName(), unicode.IsControl) {
				return nil, apierr.Invalid(apierr.FieldError{Field: "exchange_option_name", Code: apierr.FieldControl, Message: "has control characters"})
			}
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
	if err := o.shippable(no, hold, request.Msg); err != nil {
		return nil, err
	}
	if hold.State != "settled" {
		for _, held := range hold.Lines {
			if line := o.line(held.Exchange); line.Carrier == "" {
				line.Status, line.Carrier, line.TrackingNo = "shipping", request.Msg.GetCarrierName(), request.Msg.GetTrackingNo()
			}
		}
		o.settle(no, hold)
	}
	return connect.NewResponse(&ordersv1.ShipExchangeLineResponse{Lines: settled(hold)}), nil
}

// parcel is what a reshipment is in.
type parcel interface {
	GetCarrierName() string
	GetTrackingNo() string
}

// shippable reports whether the lines that stand in can go into a parcel, or travel already so that it completes the exchange.
func (o *Orders) shippable(no string, hold *Hold, parcel parcel) error {
	if hold == nil || hold.Lines[0].Exchange == uuid.Nil {
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
	case active && found["gone"] > 0:
		return because(apierr.ClaimNotReshippable, "state")
	case found["elsewhere"] > 0 && (found["here"] == 0 || active && found["waiting"]+found["held"] > 0):
		return because(apierr.ClaimNotReshippable, "parcel")
	case active && found["held"] > 0:
		return apierr.ExchangeItemShipFailed
	default:
		return nil
	}
}

// standing is what a reshipment in a parcel means for a line that stands in.
func (l *Line) standing(parcel parcel) string {
	switch {
	case l.Carrier != "" && l.Carrier == parcel.GetCarrierName() && l.TrackingNo == parcel.GetTrackingNo():
		return "here"
	case l.Carrier != "":
		return "elsewhere"
	case l.Status == "canceled":
		return "gone"
	case l.ClaimNo != "":
		return "held"
	default:
		return "waiting"
	}
}

// exchangeShipped reports whether a line that stands in has been shipped, on the order's side too.
func (o *Orders) exchangeShipped(hold *Hold) bool {
	return slices.ContainsFunc(hold.Lines, func(held HeldLine) bool {
		line := o.line(held.Exchange)
		return line != nil && line.Carrier != ""
	})
}

// Convert implements the contract.
func (o *Orders) Convert(_ context.Context, request *connect.Request[ordersv1.ConvertRequest]) (*connect.Response[ordersv1.ConvertResponse], error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	no, returnNo := request.Msg.GetClaimNo(), request.Msg.GetReturnClaimNo()
	hold := o.holds[no]
	switch {
	case hold == nil:
		return nil, apierr.ClaimNotFound
	case hold.State == "converted" && hold.ReturnNo == returnNo:
		return connect.NewResponse(&ordersv1.ConvertResponse{}), nil
	case hold.State != "active" || hold.Type != "exchange":
		return nil, because(apierr.ClaimNotApprovable, "hold")
	case o.exchangeShipped(hold):
		return nil, because(apierr.ClaimNotApprovable, "exchange_shipped")
	case o.unfit(no, hold) != "":
		return nil, because(apierr.ClaimNotApprovable, o.unfit(no, hold))
	case o.holds[returnNo] != nil:
		return nil, apierr.IdempotencyKeyReused
	}
	o.convert(hold, returnNo)
	return connect.NewResponse(&ordersv1.ConvertResponse{}), nil
}

// convert hands what an exchange holds over to a return.
func (o *Orders) convert(hold *Hold, returnNo string) {
	taken := &Hold{State: "active", Type: "return", Replaces: true}
	for _, held := range hold.Lines {
		o.line(held.Item).ClaimNo = returnNo
		taken.Lines = append(taken.Lines, HeldLine{Item: held.Item, Quantity: held.Quantity})
		if line := o.line(held.Exchange); line != nil && slices.Contains(startable["cancel"], line.Status) {
			line.Status = "canceled"
		}
	}
	hold.State, hold.ReturnNo, o.holds[returnNo] = "converted", returnNo, taken
}
