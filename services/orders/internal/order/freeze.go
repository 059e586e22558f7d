package order

import "time"

// Freeze records in the hold that its claim was frozen or unfrozen. While it is frozen, order calls do not ship the replacement
// items of an exchange. at is when the claim changed; a call that is not newer than the last one changes nothing.
func (o *Locked) Freeze(hold *Hold, frozen bool, at time.Time) (Hold, Plan) {
	if hold.State != HoldActive || !at.After(hold.FreezeChangedAt) {
		return *hold, Plan{}
	}
	next := *hold
	next.Frozen, next.FreezeChangedAt = frozen, at
	d := o.draft(Terms{})
	d.gate(&next, next.gate())
	return next, d.done()
}

// gate returns the gate of the replacement items while the hold is active.
func (hold *Hold) gate() Gate {
	if hold.Frozen {
		return GateFrozen
	}
	return GateOpen
}
