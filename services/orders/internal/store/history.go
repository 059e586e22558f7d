package store

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// History returns what happened to the seller's items of a paid order. ORDER_NOT_FOUND as Find.
func (s *Store) History(ctx context.Context, sellerID uuid.UUID, orderNo string) (*order.History, error) {
	events, err := postgres.Collect(ctx, postgres.OfSeller(s.pool, sellerID), scanEvent, queries.SQL("OrderHistory"), sellerID,
		orderNo)
	switch {
	case err != nil:
		return nil, postgres.Wrap("read history", postgres.Classify(err))
	case len(events) == 0: // a paid order has entered that state
		return nil, apierr.OrderNotFound
	}
	return &order.History{OrderNo: orderNo, Events: events}, nil
}

func scanEvent(row pgx.CollectableRow) (e order.Event, err error) {
	err = row.Scan(&e.At, &e.Kind, &e.ChangedBy, &e.KeyPrefix, &e.ItemIDs, &e.State, &e.CarrierName, &e.TrackingNo,
		&e.LogisticsCompany, &e.ClaimNo, &e.HoldState, (*zeronull.UUID)(&e.OriginID), &e.Quantity)
	return e, err
}
