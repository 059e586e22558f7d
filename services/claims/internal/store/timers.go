package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/claims/internal/claim"
)

// DueInspections returns at most limit returns that should have passed uninspected so long ago, the longest waiting first.
func (s *Store) DueInspections(ctx context.Context, overdue time.Duration, limit int) ([]Alarm, error) {
	return s.alarms(ctx, "DueInspections", claim.WatchInspection, overdue, limit)
}

// DuePayments returns at most limit claims whose shortfall should have been paid so long ago, the longest waiting first.
func (s *Store) DuePayments(ctx context.Context, overdue time.Duration, limit int) ([]Alarm, error) {
	return s.alarms(ctx, "DuePayments", claim.WatchPayment, overdue, limit)
}

// DueRefunds returns at most limit refunds that should have been asked for so long ago, the longest waiting first.
func (s *Store) DueRefunds(ctx context.Context, overdue time.Duration, limit int) ([]DueRefund, error) {
	rows, err := s.pool.Query(ctx, queries.SQL("DueRefunds"), overdue, limit)
	if err != nil {
		return nil, postgres.Classify(fmt.Errorf("find due refunds: %w", err))
	}
	due, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (DueRefund, error) {
		var refund DueRefund
		err := row.Scan(&refund.SellerID, &refund.ClaimNo, &refund.ID)
		return refund, err
	})
	if err != nil {
		return nil, postgres.Classify(fmt.Errorf("find due refunds: %w", err))
	}
	return due, nil
}

// OldestRefund returns how long the refund that waits longest to be asked for is overdue; 0 when none is.
func (s *Store) OldestRefund(ctx context.Context) (time.Duration, error) {
	var seconds *float64
	if err := s.pool.QueryRow(ctx, queries.SQL("OldestRefund")).Scan(&seconds); err != nil {
		return 0, postgres.Classify(fmt.Errorf("find the oldest refund: %w", err))
	}
	if seconds == nil {
		return 0, nil
	}
	return time.Duration(*seconds * float64(time.Second)), nil
}

func (s *Store) alarms(ctx context.Context, query string, name claim.Step, overdue time.Duration, limit int) ([]Alarm, error) {
	rows, err := s.pool.Query(ctx, queries.SQL(query), overdue, limit)
	if err != nil {
		return nil, postgres.Classify(fmt.Errorf("find what is due: %w", err))
	}
	due, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (Alarm, error) {
		alarm := Alarm{Name: name}
		err := row.Scan(&alarm.SellerID, &alarm.ClaimNo)
		return alarm, err
	})
	if err != nil {
		return nil, postgres.Classify(fmt.Errorf("find what is due: %w", err))
	}
	return due, nil
}
