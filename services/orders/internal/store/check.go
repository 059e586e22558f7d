package store

import (
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// checkedAtOnce is how many orders a check reads in one statement.
const checkedAtOnce = 50

// CheckShipments decides on shipments of a seller as ShipAlone would, one after the other, and writes and locks nothing. The
// decisions see only the seller's items, so that the parts of other sellers are not read.
func (s *Store) CheckShipments(
	ctx context.Context, seller uuid.UUID, shipments []order.ShipCommand,
) ([]order.ShipResult, error) {
	orders, err := s.readOwnParts(ctx, seller, shipments)
	if err != nil {
		return nil, err
	}
	outcomes := make([]order.ShipResult, len(shipments))
	for i, call := range shipments {
		o, isThere := orders[call.OrderNo]
		if !isThere {
			outcomes[i].Err = apierr.OrderNotFound
			continue
		}
		decided, err := o.Ship(seller, call.ItemIDs, call.Parcel)
		if err != nil {
			outcomes[i].Err = err
			continue
		}
		outcomes[i].Done = order.ProcessResult{OrderNo: o.No, Items: decided.Items}
		orders[call.OrderNo] = o.After(&decided.Plan)
	}
	return outcomes, nil
}

// readOwnParts reads the seller's parts of the orders of shipments, by number.
func (s *Store) readOwnParts(
	ctx context.Context, seller uuid.UUID, shipments []order.ShipCommand,
) (map[string]*order.Locked, error) {
	numbers := make([]string, len(shipments))
	for i := range shipments {
		numbers[i] = shipments[i].OrderNo
	}
	slices.Sort(numbers)
	all := make(map[string]*order.Locked, len(shipments))
	for some := range slices.Chunk(slices.Compact(numbers), checkedAtOnce) {
		rows, err := postgres.OfSeller(s.pool, seller).Query(ctx, readPart, seller, some)
		if err != nil {
			return nil, postgres.Wrap("read orders", postgres.Classify(err))
		}
		found, err := scanOwned(rows)
		if err != nil {
			return nil, postgres.Classify(err)
		}
		maps.Copy(all, found)
	}
	return all, nil
}
