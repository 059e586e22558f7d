package order

import "sellerapi.dev/pkg/apierr"

// Seal guarantees that a cancel or a return can settle, so that its refund can be fixed. The order gets a new updated_at, because
// its claim is about to change; a repetition has no effect. CLAIM_NOT_APPROVABLE as Settle, with the same reasons.
func (o *Locked) Seal(hold *Hold) (Hold, Plan, error) {
	if hold.State == HoldSettled || hold.State == HoldActive && hold.Sealed && hold.Type != ClaimExchange {
		return *hold, Plan{}, nil
	}
	if reason := o.unsettleable(hold); reason != "" {
		return *hold, Plan{}, apierr.ClaimNotApprovable.With(map[string]any{"reason": reason})
	}
	next := *hold
	next.Sealed = true
	return next, Plan{touched: true}, nil
}

// unsettleable returns the reason why a cancel or a return cannot settle; empty if it can.
func (o *Locked) unsettleable(hold *Hold) string {
	if hold.Type == ClaimExchange {
		return "type" // an exchange completes with its shipment
	}
	return o.impediment(hold)
}

// Correctable returns an error if an operator must not correct an item of the hold: ORDER_ITEM_HAS_ACTIVE_CLAIM, with the claim
// number, when the hold is sealed. A nil hold permits the correction.
func (hold *Hold) Correctable() error {
	if hold == nil || hold.State != HoldActive || !hold.Sealed {
		return nil
	}
	return apierr.OrderItemHasActiveClaim.With(map[string]any{"claim_no": hold.ClaimNo})
}
