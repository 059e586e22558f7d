package linestest

import (
	"context"

	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
)

var _ ordersv1connect.ClaimLinesHandler = (*Orders)(nil)

// Open implements the contract.
func (o *Orders) Open(_ context.Context, request *ordersv1.OpenRequest) (*ordersv1.OpenResponse, error) {
	wanted, err := holdOf(request)
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	no := request.GetClaimNo()
	if hold := o.holds[no]; hold != nil {
		if reason := hold.reopen(wanted); reason != "" {
			return nil, because(apierr.ClaimNotApprovable, reason)
		}
		if hold.answer != nil {
			return hold.answer, nil
		}
	}
	if err := o.claimable(wanted); err != nil {
		return nil, err
	}
	for _, held := range wanted.Lines {
		o.line(held.Item).ClaimNo = no
	}
	wanted.answer, o.holds[no] = o.opened(wanted), wanted
	o.changes[wanted.orderNo]++
	return wanted.answer, nil
}

// opened returns the response to a claim that got its hold.
func (o *Orders) opened(hold *Hold) *ordersv1.OpenResponse {
	answer := &ordersv1.OpenResponse{Lines: o.facts(hold), Currency: "KRW", ShippingFeePaid: shippingFee, BeforeShipping: true}
	if paid := o.paid[hold.orderNo]; !paid.IsZero() {
		answer.PaidAt = timestamppb.New(paid)
	}
	var left int64
	points := o.points[hold.orderNo+hold.seller.String()]
	for _, line := range o.lines {
		if line.OrderNo != hold.orderNo || line.Seller != hold.seller {
			continue
		}
		if !line.IsExchange {
			answer.SellerQuantity += line.Quantity
			points -= line.Paid
		}
		if !line.ended() {
			left += line.Quantity
		}
		answer.BeforeShipping = answer.BeforeShipping && !line.shipped()
	}
	for _, held := range hold.Lines {
		left -= held.Quantity
	}
	answer.WholeRemainder = left == 0
	answer.ShippingPoints = min(max(0, points), shippingFee)
	return answer
}

// facts returns the facts of the held lines.
func (o *Orders) facts(hold *Hold) []*ordersv1.LineFacts {
	facts := make([]*ordersv1.LineFacts, 0, len(hold.Lines))
	for _, held := range hold.Lines {
		line := o.line(held.Item)
		told := &ordersv1.LineFacts{
			ItemId: line.ID.String(), ItemCode: line.Code(), ProductId: "P-1", ProductName: "셔츠", OptionName: line.OptionName,
			Quantity: line.Quantity, UnitPrice: line.UnitPrice, LinePaidAmount: line.Paid, ItemStatus: line.Status,
			PointsAmount: line.Points,
		}
		if line.DeliveredAt != nil {
			told.DeliveredAt = timestamppb.New(*line.DeliveredAt)
		}
		facts = append(facts, told)
	}
	return facts
}

// Release implements the contract.
func (o *Orders) Release(_ context.Context, request *ordersv1.ReleaseRequest) (*ordersv1.ReleaseResponse, error) {
	no := request.GetClaimNo()
	if err := checkName("claim_no", no); err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	switch hold := o.holds[no]; {
	case hold == nil:
		o.holds[no] = &Hold{State: "released"}
	case hold.State == "active":
		hold.State = "released"
		for _, held := range hold.Lines {
			o.line(held.Item).ClaimNo = ""
		}
		o.withdraw(hold)
		o.changes[hold.orderNo]++
	}
	return &ordersv1.ReleaseResponse{}, nil
}

// Settle implements the contract.
func (o *Orders) Settle(_ context.Context, request *ordersv1.SettleRequest) (*ordersv1.SettleResponse, error) {
	no := request.GetClaimNo()
	if err := checkName("claim_no", no); err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	hold, err := o.held(no)
	if err != nil {
		return nil, err
	}
	if hold.State != "settled" {
		if reason := o.unsettleable(no, hold); reason != "" {
			return nil, because(apierr.ClaimNotApprovable, reason)
		}
		o.settle(hold)
	}
	return &ordersv1.SettleResponse{Lines: hold.settled()}, nil
}

// Seal implements the contract.
func (o *Orders) Seal(_ context.Context, request *ordersv1.SealRequest) (*ordersv1.SealResponse, error) {
	no := request.GetClaimNo()
	if err := checkName("claim_no", no); err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	hold, err := o.held(no)
	if err != nil {
		return nil, err
	}
	sealed := hold.State == "active" && hold.Sealed && hold.Type != "exchange"
	if hold.State != "settled" && !sealed {
		if reason := o.unsettleable(no, hold); reason != "" {
			return nil, because(apierr.ClaimNotApprovable, reason)
		}
		hold.Sealed = true
	}
	return &ordersv1.SealResponse{}, nil
}

// unsettleable returns the reason why a cancel or a return cannot complete; empty if it can.
func (o *Orders) unsettleable(no string, hold *Hold) string {
	if hold.Type == "exchange" {
		return "type"
	}
	return o.unfit(no, hold)
}

// Touch implements the contract.
func (o *Orders) Touch(_ context.Context, request *ordersv1.TouchRequest) (*ordersv1.TouchResponse, error) {
	no, step := request.GetClaimNo(), request.GetStep()
	if err := checkName("claim_no", no); err != nil {
		return nil, err
	}
	if err := checkName("step", step); err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	hold, err := o.held(no)
	if err != nil {
		return nil, err
	}
	if o.touches[no+"/"+step] == 0 {
		o.touches[no+"/"+step] = 1
		o.touches[no]++
		o.changes[hold.orderNo]++
	}
	return &ordersv1.TouchResponse{}, nil
}
