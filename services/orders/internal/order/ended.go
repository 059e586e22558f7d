package order

import "time"

// EndedBefore reports whether the order is final: all items of all its sellers are in terminal states, no claim holds any of them,
// and the last change for any seller was before the given time.
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
