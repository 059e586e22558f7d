package order

import "sellerapi.dev/pkg/apierr"

// Convert hands what an exchange holds over to the return that takes its place, and cancels the items that stand in. The return's hold
// is sealed if it pays at once, and only then. It returns both holds. The plan stamps nothing when that was done before.
//
// CLAIM_NOT_APPROVABLE with a reason: the hold is none of an exchange, ended otherwise or went to another return (hold), or
// an item that stands in was shipped (exchange_shipped): its customer would have the goods and the money. Or an item that is
// held can no longer be returned (those of unfit), as after an operator's correction: its return could never complete.
func (o *Locked) Convert(hold *Hold, returnClaimNo string, seal bool) (ended, taken Hold, plan Plan, err error) {
	taken = Hold{ClaimNo: returnClaimNo, Type: ClaimReturn, SellerID: hold.SellerID, State: HoldActive, Sealed: seal}
	for _, held := range hold.Items {
		taken.Items = append(taken.Items, HoldItem{ItemID: held.ItemID, Quantity: held.Quantity})
	}
	if hold.State == HoldConverted && hold.ReturnClaimNo == returnClaimNo {
		return *hold, taken, Plan{}, nil
	}
	if reason := o.inconvertible(hold); reason != "" {
		return *hold, taken, Plan{}, apierr.ClaimNotApprovable.With(map[string]any{"reason": reason})
	}
	d := o.draft(Terms{})
	for _, held := range hold.Items {
		if item := d.item(held.ItemID); item != nil {
			item.ClaimNo = returnClaimNo
		}
	}
	d.withdraw(hold)
	ended = *hold
	ended.State, ended.ReturnClaimNo = HoldConverted, returnClaimNo
	return ended, taken, d.done(), nil
}

// inconvertible says why no return can take the place of what has the hold; empty when one can.
func (o *Locked) inconvertible(hold *Hold) string {
	switch {
	case hold.State != HoldActive || hold.Type != ClaimExchange:
		return "hold"
	case o.ExchangeShipped(hold):
		return "exchange_shipped"
	default: // what cannot be exchanged any more cannot be returned either
		return o.unfit(hold)
	}
}

// ExchangeShipped reports whether an item that stands in for what is held has been shipped, no matter who did it and what has
// become of it since.
func (o *Locked) ExchangeShipped(hold *Hold) bool {
	for _, held := range hold.Items {
		if item := o.Item(held.ExchangeItemID); item != nil && item.State.Shows().Parcel {
			return true
		}
	}
	return false
}

// withdraw ends an exchange whose items are not wanted any more: those that were not shipped are canceled.
func (d *draft) withdraw(hold *Hold) {
	for _, held := range hold.Items {
		if item := d.item(held.ExchangeItemID); item != nil && Items.Can(item.State, Cancel) {
			d.enter(item, Canceled)
		}
	}
	d.gate(hold, GateEnded)
}
