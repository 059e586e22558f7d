package order

import "time"

// Terms are the periods that an operator of the service sets.
type Terms struct {
	// ConfirmAfter: a purchase is confirmed by itself so long after the delivery.
	ConfirmAfter time.Duration
	// ConfirmAfterClaim: but not sooner than so long after a claim on the item ended.
	ConfirmAfterClaim time.Duration
}

// DefaultTerms are used unless the settings say otherwise.
func DefaultTerms() Terms {
	return Terms{ConfirmAfter: 8 * 24 * time.Hour, ConfirmAfterClaim: 24 * time.Hour}
}

// deadline is when the purchase of an item is confirmed by itself, not before a time; zero for never, which holds outside
// of delivered and while a claim is active.
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

// FirstDeadline is when the purchase of an item is confirmed by itself that comes from elsewhere as delivered; zero for an
// item in another state.
func (t Terms) FirstDeadline(life Life) time.Time {
	return t.deadline(&Item{State: life.State, DeliveredAt: life.DeliveredAt}, time.Time{})
}
