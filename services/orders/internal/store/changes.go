package store

import (
	"slices"

	"github.com/google/uuid"

	"sellerapi.dev/services/orders/internal/order"
)

// changeSet groups the items of a seller's part of an order by the state and the instant at which they entered it.
type changeSet map[order.Change][]uuid.UUID

// add notes that an item entered a state. Entering it twice at one instant is entering it once.
func (s changeSet) add(change order.Change, item uuid.UUID) {
	change.At = change.At.UTC() // times are keys here, and one instant has to be one key
	if !slices.Contains(s[change], item) {
		s[change] = append(s[change], item)
	}
}

// rows makes the rows of status_changes.
func (s changeSet) rows(seller uuid.UUID, orderID uuid.UUID) [][]any {
	rows := make([][]any, 0, len(s))
	for change, items := range s {
		rows = append(rows, []any{wireUUID(seller), wireUUID(orderID), string(change.To), change.At, uuidTexts(items)})
	}
	return rows
}
