package order

import "github.com/google/uuid"

// Prepare brings the seller's items into preparing, all or none. Codes: ORDER_ITEM_NOT_FOUND,
// ORDER_ITEM_HAS_ACTIVE_CLAIM, EXCHANGE_ITEM_NOT_PREPARABLE, ORDER_ITEM_NOT_PREPARABLE.
func (o *Locked) Prepare(seller uuid.UUID, ids []string) (Processed, error) {
	return o.process(operations[Prepare], seller, ids, nil, Terms{})
}
