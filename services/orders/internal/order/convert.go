package order

import "sellerapi.dev/pkg/apierr"

// Convert transfers the held items of an exchange to the return that supersedes it, and cancels the replacement items. seal
// seals the return's hold, for a return that refunds at once. closeOnly closes the replacement items instead, so that nothing
// can be done with them until a repetition without it cancels them. The plan has the return's hold; it is empty when that was
// done before.
//
// CLAIM_NOT_APPROVABLE with a reason: the hold is not that of an exchange, has ended or was converted to another return (hold); a
// replacement item was shipped, so the customer would have both the goods and the money (exchange_shipped); or a held item can no
// longer be returned, for instance after an operator's correction, so the return could never complete (reasons of unfit).
func (o *Locked) Convert(hold *Hold, returnClaimNo string, seal, closeOnly bool) (Hold, Plan, error) {
	d := o.draft(Terms{})
	if hold.State == HoldConverted && hold.ReturnClaimNo == returnClaimNo {
		if !closeOnly {
			d.withdraw(hold)
		}
		return *hold, d.done(), nil
	}
	if reason := o.inconvertible(hold); reason != "" {
		return *hold, Plan{}, apierr.ClaimNotApprovable.With(map[string]any{"reason": reason})
	}
	taken := &Hold{ClaimNo: returnClaimNo, Type: ClaimReturn, SellerID: hold.SellerID, State: HoldActive, Sealed: seal}
	for _, held := range hold.Items {
		taken.Items = append(taken.Items, HoldItem{ItemID: held.ItemID, Quantity: held.Quantity})
		if item := d.item(held.ItemID); item != nil {
			item.ClaimNo = returnClaimNo
		}
	}
	d.plan.Taken = taken
	if closeOnly {
		d.gate(hold, GateClosed)
	} else {
		d.withdraw(hold)
	}
	ended := *hold
	ended.State, ended.ReturnClaimNo = HoldConverted, returnClaimNo
	return ended, d.done(), nil
}

// inconvertible returns the reason why a hold cannot be converted to a return; empty if it can.
func (o *Locked) inconvertible(hold *Hold) string {
	switch {
	case hold.State != HoldActive || hold.Type != ClaimExchange:
		return "hold"
	case o.ExchangeShipped(hold):
		return "exchange_shipped"
	default: // an item that can no longer be exchanged cannot be returned either
		return o.unfit(hold)
	}
}

// ExchangeShipped reports whether a replacement item of the hold was shipped, no matter by whom and what its state is now.
func (o *Locked) ExchangeShipped(hold *Hold) bool {
	for _, held := range hold.Items {
		if item := o.Item(held.ExchangeItemID); item != nil && item.State.Shows().Parcel {
			return true
		}
	}
	return false
}

// withdraw cancels the replacement items that were not shipped, and ends their gates.
func (d *draft) withdraw(hold *Hold) {
	for _, held := range hold.Items {
		if item := d.item(held.ExchangeItemID); item != nil && Items.Can(item.State, Cancel) {
			d.enter(item, Canceled)
		}
	}
	d.gate(hold, GateEnded)
}
