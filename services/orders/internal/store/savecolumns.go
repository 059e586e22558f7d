package store

import (
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"

	"sellerapi.dev/services/orders/internal/order"
)

func changedColumns(orderID uuid.UUID, item *order.LockedItem) []any {
	return []any{
		wireUUID(item.SellerID), wireUUID(orderID), item.Seq,
		item.Quantity, item.Prices.Line, item.Prices.Discount, item.Prices.Paid, string(item.State),
		item.ClaimNo, string(item.Gate), optionalUUID(item.ParcelID),
		stamp(item.ShippedAt), stamp(item.DeliveredAt), stamp(item.ConfirmedAt), stamp(item.AutoConfirmAt),
		optionalUUID(item.OriginID), item.Points, stamp(item.ShipBy),
	}
}

func addedColumns(orderID uuid.UUID, item *order.LockedItem) []any {
	return []any{
		wireUUID(item.SellerID), wireUUID(orderID), item.Seq,
		wireUUID(item.ID), item.ProductID, item.ProductName, item.OptionName, item.Quantity,
		item.Prices.List, item.Prices.Unit, item.Prices.Line, item.Prices.Discount, item.Prices.Paid,
		string(item.State), item.IsExchange, string(item.Gate), optionalUUID(item.ParcelID), stamp(item.ShippedAt),
		stamp(item.DeliveredAt),
		optionalUUID(item.OriginID), item.SplitFromClaimNo, item.ExchangeClaimNo, item.Points, stamp(item.ShipBy),
	}
}

// entryColumns returns the array arguments of AddChanges, which follow the order id.
func entryColumns(entries []order.ItemStateChange) []any {
	n := len(entries)
	sellers, items, states := make([]pgtype.UUID, n), make([]pgtype.UUID, n), make([]string, n)
	times := make([]pgtype.Timestamptz, n)
	for i, entry := range entries {
		sellers[i], items[i], states[i], times[i] = wireUUID(entry.SellerID), wireUUID(entry.ItemID), string(entry.To), stamp(entry.At)
	}
	return []any{sellers, states, times, items}
}

// optionalUUID returns a UUID, null for uuid.Nil.
func optionalUUID(id uuid.UUID) pgtype.UUID { return pgtype.UUID{Bytes: id, Valid: id != uuid.Nil} }
