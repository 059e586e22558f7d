package order

import "sellerapi.dev/pkg/apierr"

// Seal promises a cancel or a return that it will settle: from then on its refund can be fixed. It changes nothing in the order, and
// nothing at all when it was done before. CLAIM_NOT_APPROVABLE as Settle, with the same reasons.
func (o *Locked) Seal(hold *Hold) (Hold, error) {
	if hold.State == HoldSettled || hold.State == HoldActive && hold.Sealed && hold.Type != ClaimExchange {
		return *hold, nil
	}
	if reason := o.unsettleable(hold); reason != "" {
		return *hold, apierr.ClaimNotApprovable.With(map[string]any{"reason": reason})
	}
	next := *hold
	next.Sealed = true
	return next, nil
}

// unsettleable says why a cancel or a return cannot settle; empty when it can.
func (o *Locked) unsettleable(hold *Hold) string {
	if hold.Type == ClaimExchange {
		return "type" // it completes with its shipment
	}
	return o.impediment(hold)
}

// Correctable refuses an operator's correction of an item that the hold has: ORDER_ITEM_HAS_ACTIVE_CLAIM, with the number of the
// claim, when the hold is sealed. Nil allows it, as does a hold that is not there.
func (hold *Hold) Correctable() error {
	if hold == nil || hold.State != HoldActive || !hold.Sealed {
		return nil
	}
	return apierr.OrderItemHasActiveClaim.With(map[string]any{"claim_no": hold.ClaimNo})
}
