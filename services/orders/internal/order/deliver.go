package order

import "github.com/google/uuid"

// Deliver records the delivery of the seller's items, all or none, and sets the deadline of their automatic confirmation.
// Items that are delivered or confirmed are already done. Codes: ORDER_ITEM_NOT_FOUND, ORDER_ITEM_HAS_ACTIVE_CLAIM,
// ORDER_ITEM_NOT_DELIVERABLE.
func (o *Locked) Deliver(seller uuid.UUID, ids []string, terms Terms) (Processed, error) {
	return o.process(operations[Deliver], seller, ids, nil, terms)
}
