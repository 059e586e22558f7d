package order

import "github.com/google/uuid"

// Deliver notes that the seller's items have arrived, all or none; from then on the purchase confirms itself in time.
// Items whose purchase is confirmed are done. Codes: ORDER_ITEM_NOT_FOUND, ORDER_ITEM_HAS_ACTIVE_CLAIM,
// ORDER_ITEM_NOT_DELIVERABLE.
func (o *Locked) Deliver(seller uuid.UUID, ids []string, terms Terms) (Processed, error) {
	return o.process(operations[Deliver], seller, ids, nil, terms)
}
