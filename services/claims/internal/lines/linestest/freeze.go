package linestest

import (
	"context"

	"sellerapi.dev/pkg/apierr"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// Freeze implements the contract.
func (o *Orders) Freeze(_ context.Context, request *ordersv1.FreezeRequest) (*ordersv1.FreezeResponse, error) {
	no, at := request.GetClaimNo(), request.GetAt()
	if err := checkName("claim_no", no); err != nil {
		return nil, err
	}
	if at.CheckValid() != nil {
		return nil, apierr.Invalid(apierr.FieldError{Field: "at", Code: apierr.FieldMalformed, Message: "is not a timestamp"})
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	hold, err := o.held(no)
	if err != nil {
		return nil, err
	}
	if hold.State != "active" || !at.AsTime().After(hold.freezeChangedAt) {
		return &ordersv1.FreezeResponse{}, nil
	}
	hold.Frozen, hold.freezeChangedAt = request.GetFrozen(), at.AsTime()
	o.gateLines(hold)
	return &ordersv1.FreezeResponse{}, nil
}

// gateLines opens the replacement lines, or prevents their shipping while the claim is frozen.
func (o *Orders) gateLines(hold *Hold) {
	changed := false
	for _, held := range hold.Lines {
		if line := o.line(held.Exchange); line != nil && line.Open == hold.Frozen {
			line.Open, changed = !hold.Frozen, true
		}
	}
	if changed {
		o.changes[hold.orderNo]++
	}
}
