package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/webhook"
)

var _ webhook.Queue = (*Store)(nil)

// DueWebhooks returns at most limit webhooks of all sellers that are due and not claimed, by id after the given one.
func (s *Store) DueWebhooks(ctx context.Context, after uuid.UUID, limit int) ([]webhook.Due, error) {
	due, err := postgres.Collect(ctx, s.pool, scanDue, queries.SQL("ListDueWebhooks"), after, limit)
	return due, postgres.Wrap("find due webhooks", postgres.Classify(err))
}

func scanDue(row pgx.CollectableRow) (webhook.Due, error) {
	var due webhook.Due
	err := row.Scan(&due.SellerID, &due.ID, &due.Delivered.Orders, &due.Delivered.Claims, &due.Delivered.QnA, &due.Failing)
	return due, err
}

// ClaimWebhook claims a webhook; ok is false if it is claimed, or not due any more.
func (s *Store) ClaimWebhook(
	ctx context.Context, due webhook.Due, lasts time.Duration,
) (claimed webhook.Claimed, ok bool, err error) {
	err = postgres.InTx(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		claimed, ok, err = claimWebhook(ctx, tx, "HoldDueWebhook", due, lasts)
		return err
	})
	return claimed, ok, err
}

// claimWebhook claims the webhook that a statement locks; false if it locks none.
func claimWebhook(
	ctx context.Context, tx pgx.Tx, hold string, due webhook.Due, lasts time.Duration,
) (webhook.Claimed, bool, error) {
	claim := uuid.New()
	rows, _ := tx.Query(ctx, queries.SQL(hold), due.SellerID, due.ID)
	claimed, err := pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (webhook.Claimed, error) {
		found := webhook.Claimed{Claim: claim}
		err := scanWebhookInto(row, &found.Webhook, &found.Delivered.Orders, &found.Delivered.Claims, &found.Delivered.QnA)
		return found, err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return webhook.Claimed{}, false, nil
	}
	if err == nil {
		_, err = tx.Exec(ctx, queries.SQL("ClaimWebhook"), due.SellerID, due.ID, claim, lasts)
	}
	return claimed, err == nil, err
}

// ReleaseWebhook ends a claim without a delivery.
func (s *Store) ReleaseWebhook(ctx context.Context, claimed webhook.Claimed) error {
	_, err := s.pool.Exec(ctx, queries.SQL("ReleaseWebhook"), claimed.SellerID, claimed.ID, claimed.Claim)
	return postgres.Wrap("release a webhook", postgres.Classify(err))
}

// RecordTest records a delivery that tells nothing, and ends the claim.
func (s *Store) RecordTest(ctx context.Context, claimed webhook.Claimed, delivery webhook.Delivery) (webhook.Delivery, error) {
	delivery.At = time.Now()
	return delivery, s.settle(ctx, claimed, delivery, "ReleaseWebhook")
}

// SettleWebhook records a delivery that succeeded: its clocks are delivered, and there is none before a pause.
func (s *Store) SettleWebhook(
	ctx context.Context, claimed webhook.Claimed, delivery webhook.Delivery, now webhook.Clocks, pause time.Duration,
) error {
	return s.settle(ctx, claimed, delivery, "SettleWebhook", pause, now.Orders, now.Claims, now.QnA)
}

// settle stores a delivery and runs a statement with the claim, in one transaction.
func (s *Store) settle(
	ctx context.Context, claimed webhook.Claimed, delivery webhook.Delivery, statement string, args ...any,
) error {
	return postgres.InTx(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		if err := insertDelivery(ctx, tx, claimed, delivery); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, queries.SQL(statement), append([]any{claimed.SellerID, claimed.ID, claimed.Claim}, args...)...)
		return err
	})
}

// PostponeWebhook records a delivery that failed, and reports whether the webhook is paused because of it.
func (s *Store) PostponeWebhook(
	ctx context.Context, claimed webhook.Claimed, delivery webhook.Delivery, pause webhook.BackOff,
) (failed bool, err error) {
	err = postgres.InTx(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		if err := insertDelivery(ctx, tx, claimed, delivery); err != nil {
			return err
		}
		var failures int
		err := tx.QueryRow(ctx, queries.SQL("CountFailures"), claimed.SellerID, claimed.ID, claimed.Claim).Scan(&failures)
		if errors.Is(err, pgx.ErrNoRows) { // the claim has ended, or the webhook was removed
			return nil
		}
		if err != nil {
			return err
		}
		paused, err := tx.Exec(ctx, queries.SQL("FailWebhook"), claimed.SellerID, claimed.ID, pause.Patience)
		if err != nil {
			return err
		}
		failed = paused.RowsAffected() > 0
		_, err = tx.Exec(ctx, queries.SQL("PostponeWebhook"), claimed.SellerID, claimed.ID, pause.After(failures))
		return err
	})
	return failed, err
}

func insertDelivery(ctx context.Context, tx pgx.Tx, claimed webhook.Claimed, delivery webhook.Delivery) error {
	_, err := tx.Exec(ctx, queries.SQL("InsertWebhookDelivery"), claimed.SellerID, claimed.ID, delivery.ID, delivery.Type,
		delivery.Status, delivery.Failure, delivery.Took.Milliseconds())
	return err
}

// oldDeliveries are those of a webhook that are older than seven days.
type oldDeliveries struct {
	SellerID, WebhookID uuid.UUID
	Count               int
}

// SweepDeliveries is the sweep that removes deliveries after seven days.
func (s *Store) SweepDeliveries() sweep.Sweep {
	return sweep.Sweep{
		Name: "remove_webhook_deliveries", Interval: time.Hour,
		Find: sweep.Each(s.oldDeliveries, func(old oldDeliveries) sweep.Item {
			return sweep.Item{
				Key: fmt.Sprintf("webhook %s", old.WebhookID), Rows: old.Count,
				Do: func(ctx context.Context) error {
					_, err := s.pool.Exec(ctx, queries.SQL("RemoveOldDeliveries"), old.SellerID, old.WebhookID)
					return postgres.Wrap("remove old deliveries", postgres.Classify(err))
				},
			}
		}),
	}
}

func (s *Store) oldDeliveries(ctx context.Context, limit int) ([]oldDeliveries, error) {
	old, err := postgres.Collect(ctx, s.pool, pgx.RowToStructByPos[oldDeliveries], queries.SQL("ListOldDeliveries"), limit)
	return old, postgres.Wrap("find old deliveries", postgres.Classify(err))
}

// MeasureWebhooks is the sweep that counts paused webhooks for metrics.
func (s *Store) MeasureWebhooks(tel *telemetry.Telemetry) sweep.Sweep {
	gauge := postgres.Gauge{Metric: telemetry.WebhooksPaused, SQL: queries.SQL("CountPausedWebhooks")}
	return sweep.Always("measure_webhooks", time.Minute, sweep.Item{
		Key: gauge.Metric.Name, Do: func(ctx context.Context) error { return gauge.Set(ctx, s.pool, tel) },
	})
}
