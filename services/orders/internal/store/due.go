package store

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
)

// confirmInterval is the maximum delay of a purchase confirmation.
const confirmInterval = 5 * time.Second

// ConfirmPurchases is the sweep for automatic purchase confirmation. The deadline is stored on the line only (auto_confirm_at):
// a claim that moves or clears it need not notify the sweep.
func (s *Store) ConfirmPurchases() sweep.Sweep {
	confirm := func(due DueOrder) sweep.Item {
		return sweep.Item{
			Key: due.OrderNo, About: telemetry.Number(telemetry.OrderNo, due.OrderNo),
			Do: func(ctx context.Context) error {
				_, err := s.ConfirmDue(ctx, due)
				return err
			},
		}
	}
	return sweep.Sweep{
		Name: "confirm_purchase", Interval: confirmInterval,
		Find: sweep.Each(s.DueOrders, confirm), FindOf: sweep.EachOf(s.DueOrdersOf, confirm),
	}
}

// DueOrder is an order in which a seller has purchases that are due for automatic confirmation.
type DueOrder struct {
	SellerID uuid.UUID
	OrderNo  string
}

// DueOrders returns at most limit orders with purchases that are due for automatic confirmation.
func (s *Store) DueOrders(ctx context.Context, limit int) ([]DueOrder, error) {
	due, err := postgres.Collect(ctx, postgres.AllSellers(s.pool), pgx.RowToStructByPos[DueOrder], queries.SQL("DueOrders"), limit)
	return due, postgres.Wrap("find due orders", postgres.Classify(err))
}

// DueOrdersOf is DueOrders of one seller at a time of that seller.
func (s *Store) DueOrdersOf(ctx context.Context, seller uuid.UUID, now time.Time, limit int) ([]DueOrder, error) {
	due, err := postgres.Collect(ctx, postgres.OfSeller(s.pool, seller), pgx.RowToStructByPos[DueOrder],
		queries.SQL("DueOrdersOf"), seller, now, limit)
	return due, postgres.Wrap("find due orders", postgres.Classify(err))
}

// ConfirmDue confirms the purchases of an order that are due, and returns how many. ORDER_NOT_FOUND.
func (s *Store) ConfirmDue(ctx context.Context, due DueOrder) (int, error) {
	return postgres.InTxReturning(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) (int, error) {
		o, err := lockOrder(ctx, tx, due.SellerID, due.OrderNo, noSeller)
		if err != nil {
			return 0, err
		}
		plan := o.ConfirmDue()
		_, err = s.save(ctx, tx, o, &plan)
		return len(plan.Changed), err
	})
}

// Gauges are the metrics of open work.
func Gauges() []postgres.Gauge {
	return []postgres.Gauge{
		{Metric: telemetry.OrdersOpen, SQL: queries.SQL("CountOrders")},
		{Metric: telemetry.DeadlineOverdue, SQL: queries.SQL("AgeOfDeadlines")},
	}
}
