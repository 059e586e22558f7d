package order

import (
	"github.com/google/uuid"

	"sellerapi.dev/pkg/carrier"
)

// Ship ships the seller's items in one parcel, all or none. Items that were already shipped in the same parcel, delivered or not,
// are already done. Codes: ORDER_ITEM_NOT_FOUND, SHIPMENT_STATE_CONFLICT, ORDER_ITEM_HAS_ACTIVE_CLAIM,
// EXCHANGE_ITEM_NOT_RESHIPPING, ORDER_ITEM_NOT_SHIPPABLE.
func (o *Locked) Ship(seller uuid.UUID, ids []string, parcel carrier.Shipment) (Processed, error) {
	return o.process(operations[Ship], seller, ids, &parcel, Terms{})
}
