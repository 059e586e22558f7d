package order

import (
	"slices"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
)

// Settle completes a cancel or a return: each item, or its claimed part after a split, enters its final state. newID generates
// ids for split-off items. The plan is empty when that was done before. CLAIM_NOT_APPROVABLE with a reason when an item can no
// longer enter that state, or when the hold has ended.
func (o *Locked) Settle(hold *Hold, terms Terms, newID func() uuid.UUID) (Hold, Plan, error) {
	if hold.State == HoldSettled {
		return *hold, Plan{}, nil
	}
	if reason := o.unsettleable(hold); reason != "" {
		return *hold, Plan{}, apierr.ClaimNotApprovable.With(map[string]any{"reason": reason})
	}
	d := o.draft(terms)
	settled := d.settle(hold, newID)
	return settled, d.done(), nil
}

// impediment returns the reason why a claim cannot complete, which may be that its hold has ended; empty if it can.
func (o *Locked) impediment(hold *Hold) string {
	if hold.State != HoldActive {
		return "hold"
	}
	return o.unfit(hold)
}

func (d *draft) settle(hold *Hold, newID func() uuid.UUID) Hold {
	settled := *hold
	settled.State, settled.Items = HoldSettled, slices.Clone(hold.Items)
	for i := range settled.Items {
		held := &settled.Items[i]
		item := d.item(held.ItemID)
		d.free(item)
		if held.Quantity < item.Quantity {
			item = d.split(item, held.Quantity, newID(), hold.ClaimNo)
		}
		d.enter(item, Items.Find(item.State, hold.Type.trigger())[0].To)
		held.SettledItemID = item.ID
		if standsIn := d.item(held.ExchangeItemID); standsIn != nil {
			standsIn.OriginID = item.ID
		}
	}
	return settled
}
