package order

import "time"

// Terms are the configured periods.
type Terms struct {
	// ConfirmAfter is the time from the delivery to the automatic confirmation of a purchase.
	ConfirmAfter time.Duration
	// ConfirmAfterClaim is the minimum time from the end of a claim on the item to its automatic confirmation.
	ConfirmAfterClaim time.Duration
}

// DefaultTerms returns the terms of an installation that sets none.
func DefaultTerms() Terms {
	return Terms{ConfirmAfter: 8 * 24 * time.Hour, ConfirmAfterClaim: 24 * time.Hour}
}

// deadline returns when the purchase of an item is automatically confirmed, no earlier than a time. It is zero for never: in
// states other than delivered and while a claim is active.
func (t Terms) deadline(item *Item, earliest time.Time) time.Time {
	if item.State != Delivered || item.HasActiveClaim {
		return time.Time{}
	}
	at := item.DeliveredAt.Add(t.ConfirmAfter)
	if at.Before(earliest) {
		return earliest
	}
	return at
}

// FirstDeadline returns when the purchase of an item that is placed as delivered is automatically confirmed; zero for an item in
// another state.
func (t Terms) FirstDeadline(life Life) time.Time {
	return t.deadline(&Item{State: life.State, DeliveredAt: life.DeliveredAt}, time.Time{})
}
