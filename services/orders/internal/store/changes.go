package store

import (
	"slices"

	"github.com/google/uuid"

	"sellerapi.dev/services/orders/internal/order"
)

// changeSet groups the items of a seller's part of an order by the state that they entered and the time of it.
type changeSet map[order.StateChange][]uuid.UUID

// add records that an item entered a state. The same state at the same time is recorded once.
func (s changeSet) add(change order.StateChange, item uuid.UUID) {
	change.At = change.At.UTC() // the time is part of a map key, so that equal times need the same location
	if !slices.Contains(s[change], item) {
		s[change] = append(s[change], item)
	}
}

func (s changeSet) rows(seller uuid.UUID, orderID uuid.UUID) [][]any {
	rows := make([][]any, 0, len(s))
	for change, items := range s {
		rows = append(rows, []any{wireUUID(seller), wireUUID(orderID), string(change.To), change.At, uuidTexts(items)})
	}
	return rows
}
