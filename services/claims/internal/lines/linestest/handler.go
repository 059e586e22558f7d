package linestest

import (
	"context"
	"errors"
	"slices"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
)

var _ ordersv1connect.ClaimLinesHandler = (*Orders)(nil)

// Open implements the contract.
func (o *Orders) Open(_ context.Context, request *connect.Request[ordersv1.OpenRequest]) (*connect.Response[ordersv1.OpenResponse], error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	wanted := request.Msg
	hold := o.holds[wanted.GetClaimNo()]
	switch {
	case hold == nil:
	case hold.State != "active":
		return nil, because(apierr.ClaimNotApprovable, "hold")
	case !hold.asks(wanted):
		return nil, because(apierr.ClaimNotApprovable, "lines")
	}
	answer := &ordersv1.OpenResponse{Currency: "KRW", ShippingFeePaid: o.shipping[wanted.GetOrderNo()]}
	if paid := o.paid[wanted.GetOrderNo()]; !paid.IsZero() {
		answer.PaidAt = timestamppb.New(paid)
	}
	taken := &Hold{State: "active", Type: types[wanted.GetType()]}
	for _, claimed := range wanted.GetLines() {
		line := o.line(uuid.MustParse(claimed.GetItemId()))
		switch {
		case line == nil || line.OrderNo != wanted.GetOrderNo() || line.Seller.String() != wanted.GetSellerId():
			return nil, apierr.OrderItemNotFound
		case (hold == nil || hold.Replaces) && line.ClaimNo != "":
			return nil, apierr.OrderItemHasActiveClaim
		case !slices.Contains(startable[taken.Type], line.Status):
			return nil, because(apierr.ClaimNotApprovable, "state")
		case claimed.GetQuantity() > line.Quantity:
			return nil, because(apierr.ClaimNotApprovable, "quantity")
		}
		taken.Lines = append(taken.Lines, HeldLine{Item: line.ID, Quantity: claimed.GetQuantity()})
		answer.Lines = append(answer.Lines, facts(line))
	}
	for _, line := range o.lines {
		if line.OrderNo == wanted.GetOrderNo() && !line.IsExchange {
			answer.SellerQuantity += line.Quantity
		}
	}
	if hold == nil {
		for _, held := range taken.Lines {
			o.line(held.Item).ClaimNo = wanted.GetClaimNo()
		}
		o.holds[wanted.GetClaimNo()] = taken
	}
	return connect.NewResponse(answer), nil
}

// asks reports whether a call asks for what is held.
func (h *Hold) asks(wanted *ordersv1.OpenRequest) bool {
	return h.Type == types[wanted.GetType()] &&
		slices.EqualFunc(h.Lines, wanted.GetLines(), func(held HeldLine, claimed *ordersv1.ClaimedLine) bool {
			return held.Item.String() == claimed.GetItemId() && held.Quantity == claimed.GetQuantity()
		})
}

var types = map[ordersv1.ClaimType]string{
	ordersv1.ClaimType_CLAIM_TYPE_CANCEL: "cancel", ordersv1.ClaimType_CLAIM_TYPE_RETURN: "return", ordersv1.ClaimType_CLAIM_TYPE_EXCHANGE: "exchange",
}

// startable are the states that a claim can complete from, ends those that it leads to.
var (
	startable = map[string][]string{"cancel": {"paid", "preparing"}, "return": {"delivered"}, "exchange": {"delivered"}}
	ends      = map[string]string{"cancel": "canceled", "return": "returned", "exchange": "exchanged"}
)

func because(code apierr.Code, reason string) error {
	return code.With(map[string]any{"reason": reason})
}

func facts(line *Line) *ordersv1.LineFacts {
	told := &ordersv1.LineFacts{
		ItemId: line.ID.String(), ItemCode: line.Code(), ProductId: "P-1", ProductName: "셔츠", OptionName: line.OptionName,
		Quantity: line.Quantity, UnitPrice: line.UnitPrice, LinePaidAmount: line.Paid, ItemStatus: line.Status,
	}
	if line.DeliveredAt != nil {
		told.DeliveredAt = timestamppb.New(*line.DeliveredAt)
	}
	return told
}

// unfit says why a claim cannot complete.
func (o *Orders) unfit(claimNo string, hold *Hold) string {
	if hold == nil || hold.State != "active" {
		return "hold"
	}
	for _, held := range hold.Lines {
		line := o.line(held.Item)
		switch {
		case line.ClaimNo != claimNo:
			return "hold"
		case !slices.Contains(startable[hold.Type], line.Status):
			return "state"
		}
	}
	return ""
}

// Release implements the contract.
func (o *Orders) Release(_ context.Context, request *connect.Request[ordersv1.ReleaseRequest]) (*connect.Response[ordersv1.ReleaseResponse], error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	hold := o.holds[request.Msg.GetClaimNo()]
	if hold == nil {
		return nil, apierr.ClaimNotFound
	}
	if hold.State == "active" {
		hold.State = "released"
		o.free(request.Msg.GetClaimNo())
	}
	return connect.NewResponse(&ordersv1.ReleaseResponse{}), nil
}

func (o *Orders) free(claimNo string) {
	for _, line := range o.lines {
		if line.ClaimNo == claimNo {
			line.ClaimNo = ""
		}
	}
}

// Settle implements the contract.
func (o *Orders) Settle(_ context.Context, request *connect.Request[ordersv1.SettleRequest]) (*connect.Response[ordersv1.SettleResponse], error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	hold := o.holds[request.Msg.GetClaimNo()]
	if hold == nil || hold.State != "settled" {
		if reason := o.unfit(request.Msg.GetClaimNo(), hold); reason != "" {
			return nil, because(apierr.ClaimNotApprovable, reason)
		}
		o.settle(request.Msg.GetClaimNo(), hold)
	}
	return connect.NewResponse(&ordersv1.SettleResponse{Lines: settled(hold)}), nil
}

// settle moves the claimed quantities into their last state.
func (o *Orders) settle(claimNo string, hold *Hold) {
	o.free(claimNo)
	for i := range hold.Lines {
		part := o.split(o.line(hold.Lines[i].Item), hold.Lines[i].Quantity)
		part.Status = ends[hold.Type]
		hold.Lines[i].Settled = part.ID
	}
	hold.State = "settled"
}

func settled(hold *Hold) []*ordersv1.SettledLine {
	lines := make([]*ordersv1.SettledLine, 0, len(hold.Lines))
	for _, held := range hold.Lines {
		lines = append(lines, &ordersv1.SettledLine{ItemId: held.Item.String(), SettledItemId: held.Settled.String()})
	}
	return lines
}

// Touch implements the contract.
func (o *Orders) Touch(_ context.Context, request *connect.Request[ordersv1.TouchRequest]) (*connect.Response[ordersv1.TouchResponse], error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	no, step := request.Msg.GetClaimNo(), request.Msg.GetStep()
	if o.holds[no] == nil {
		return nil, apierr.ClaimNotFound
	}
	if o.touches[no+"/"+step] == 0 {
		o.touches[no+"/"+step] = 1
		o.touches[no]++
	}
	return connect.NewResponse(&ordersv1.TouchResponse{}), nil
}

// Check implements the contract.
func (o *Orders) Check(_ context.Context, request *connect.Request[ordersv1.CheckRequest]) (*connect.Response[ordersv1.CheckResponse], error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	no := request.Msg.GetClaimNo()
	hold := o.holds[no]
	if hold == nil {
		return nil, apierr.ClaimNotFound
	}
	answer := &ordersv1.CheckResponse{Holds: o.unfit(no, hold) == ""}
	if err := o.shippable(no, hold, request.Msg); request.Msg.GetTrackingNo() != "" && errors.Is(err, apierr.ClaimNotReshippable) {
		answer.NotReshippable, _ = apierr.From(err).Data["reason"].(string)
	}
	answer.ExchangeShipped = o.exchangeShipped(hold)
	return connect.NewResponse(answer), nil
}
