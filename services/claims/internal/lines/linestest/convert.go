package linestest

import (
	"context"
	"errors"
	"slices"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// Convert implements the contract.
func (o *Orders) Convert(_ context.Context, request *ordersv1.ConvertRequest) (*ordersv1.ConvertResponse, error) {
	no, returnNo := request.GetClaimNo(), request.GetReturnClaimNo()
	if err := checkName("claim_no", no); err != nil {
		return nil, err
	}
	if err := checkName("return_claim_no", returnNo); err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	hold, err := o.held(no)
	if err != nil {
		return nil, err
	}
	if hold.State != "converted" || hold.ReturnNo != returnNo {
		if reason := o.inconvertible(no, hold); reason != "" {
			return nil, because(apierr.ClaimNotApprovable, reason)
		}
		if o.holds[returnNo] != nil {
			return nil, apierr.IdempotencyKeyReused
		}
		o.convert(hold, returnNo, request.GetSeal())
	}
	o.dropReplacements(hold, request.GetCloseOnly())
	return &ordersv1.ConvertResponse{}, nil
}

// inconvertible returns the reason why no return can replace a claim; empty if one can.
func (o *Orders) inconvertible(no string, hold *Hold) string {
	switch {
	case hold.State != "active" || hold.Type != "exchange":
		return "hold"
	case o.exchangeShipped(hold):
		return "exchange_shipped"
	default:
		return o.unfit(no, hold)
	}
}

// convert moves the lines of an exchange to a return.
func (o *Orders) convert(hold *Hold, returnNo string, seal bool) {
	taken := &Hold{State: "active", Type: "return", Sealed: seal, seller: hold.seller, orderNo: hold.orderNo}
	for _, held := range hold.Lines {
		o.line(held.Item).ClaimNo = returnNo
		taken.Lines = append(taken.Lines, HeldLine{Item: held.Item, Quantity: held.Quantity})
	}
	hold.State, hold.ReturnNo, o.holds[returnNo] = "converted", returnNo, taken
	o.changes[hold.orderNo]++
}

// dropReplacements cancels the replacement lines that have not shipped, or only closes them.
func (o *Orders) dropReplacements(hold *Hold, closeOnly bool) {
	for _, held := range hold.Lines {
		line := o.line(held.Exchange)
		if line == nil || !slices.Contains(startable["cancel"], line.Status) || line.Closed && closeOnly {
			continue
		}
		line.Open, line.Closed = false, closeOnly
		if !closeOnly {
			line.Status = "canceled"
		}
		o.changes[hold.orderNo]++
	}
}

// exchangeShipped reports whether a replacement line has shipped.
func (o *Orders) exchangeShipped(hold *Hold) bool {
	return slices.ContainsFunc(hold.Lines, func(held HeldLine) bool {
		line := o.line(held.Exchange)
		return line != nil && line.shipped()
	})
}

// Check implements the contract.
func (o *Orders) Check(_ context.Context, request *ordersv1.CheckRequest) (*ordersv1.CheckResponse, error) {
	no, name, number := request.GetClaimNo(), request.GetCarrierName(), request.GetTrackingNo()
	if err := checkName("claim_no", no); err != nil {
		return nil, err
	}
	parcel, err := carrier.ParseShipment(name, number, nil)
	if err != nil && name+number != "" {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	hold, err := o.held(no)
	if err != nil {
		return nil, err
	}
	answer := &ordersv1.CheckResponse{Holds: o.unfit(no, hold) == "", Lines: o.facts(hold), ExchangeShipped: o.exchangeShipped(hold)}
	if err := o.shippable(no, hold, parcel); name != "" && errors.Is(err, apierr.ClaimNotReshippable) {
		answer.NotReshippable, _ = apierr.From(err).Data["reason"].(string)
	}
	return answer, nil
}
