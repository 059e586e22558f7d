package order

import (
	"github.com/google/uuid"

	"sellerapi.dev/pkg/carrier"
)

// Ship sends the seller's items off in one parcel, all or none. Items that travel in the same parcel already, and those of
// them that have arrived, are done. Codes: ORDER_ITEM_NOT_FOUND, SHIPMENT_STATE_CONFLICT, ORDER_ITEM_HAS_ACTIVE_CLAIM,
// EXCHANGE_ITEM_NOT_RESHIPPING, ORDER_ITEM_NOT_SHIPPABLE.
func (o *Locked) Ship(seller uuid.UUID, ids []string, parcel carrier.Shipment) (Processed, error) {
	return o.process(operations[Ship], seller, ids, &parcel, Terms{})
}
