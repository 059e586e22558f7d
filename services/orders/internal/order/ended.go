package order

import "time"

// EndedBefore reports whether nothing will happen to the order any more: all items of all its sellers are in states that are never
// left, no claim has any of them, and the last change for any seller was before the time.
func (o *Locked) EndedBefore(at time.Time) bool {
	for i := range o.Items {
		if item := &o.Items[i]; !item.State.Terminal() || item.HasActiveClaim {
			return false
		}
	}
	for _, seller := range o.Sellers {
		if seller.UpdatedAt.After(at) {
			return false
		}
	}
	return len(o.Items) > 0
}
