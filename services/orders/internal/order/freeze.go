package order

import "time"

// Freeze records on a hold that its claim was frozen or unfrozen: while it is, the order's side does not ship what stands
// in for what an exchange holds. at is when the claim changed; what it was before changes nothing any more.
func (o *Locked) Freeze(hold *Hold, frozen bool, at time.Time) (Hold, Plan, error) {
	if hold.State != HoldActive || !at.After(hold.FreezeChangedAt) {
		return *hold, Plan{}, nil
	}
	next := *hold
	next.Frozen, next.FreezeChangedAt = frozen, at
	d := o.draft(Terms{})
	d.gate(&next, next.gate())
	return next, d.done(), nil
}

// gate returns the gate of the replacement items while the hold is active.
func (hold *Hold) gate() Gate {
	if hold.Frozen {
		return GateFrozen
	}
	return GateOpen
}
