package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/actor"
)

// SetShipBy sets by when items of a paid order should be shipped, zero for no time, and reports whether that changed anything.
// Codes: ORDER_NOT_FOUND and those of [order.Locked.SetShipBy].
func (s *Store) SetShipBy(ctx context.Context, orderNo string, itemIDs []string, at time.Time) (bool, error) {
	return s.withAct(actor.As(ctx, actor.System), orderNo, func(ctx context.Context, tx pgx.Tx) (bool, error) {
		o, err := lockPaidOrder(ctx, tx, orderNo)
		if err != nil {
			return false, err
		}
		plan, err := o.SetShipBy(itemIDs, at)
		if err != nil {
			return false, err
		}
		_, err = s.save(ctx, tx, o, &plan)
		return plan.Stamps(), err
	})
}
