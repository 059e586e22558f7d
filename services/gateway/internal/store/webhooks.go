package store

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/gateway/internal/audit"
	"sellerapi.dev/services/gateway/internal/webhook"
)

var _ webhook.Store = (*Store)(nil)

// AddWebhook adds a webhook, or returns the one that the same request added. Errors: apikey.ErrSellerUnknown, webhook.ErrTooMany,
// webhook.ErrURLTaken, webhook.ErrOtherContent.
func (s *Store) AddWebhook(
	ctx context.Context, request webhook.AddRequest, id uuid.UUID, sealed []byte, begin webhook.Clocks,
) (webhook.Webhook, error) {
	added, err := postgres.InTxReturning(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) (webhook.Webhook, error) {
		if _, err := holdSeller(ctx, tx, request.SellerID); err != nil {
			return webhook.Webhook{}, err
		}
		done := audit.WebhookAddedAgain
		found, err := findRequested(ctx, tx, request)
		if errors.Is(err, pgx.ErrNoRows) {
			done = audit.WebhookAdded
			if err := insertWebhook(ctx, tx, request, id, sealed, begin); err != nil {
				return webhook.Webhook{}, err
			}
			found, err = findRequested(ctx, tx, request)
		}
		if err != nil {
			return webhook.Webhook{}, err
		}
		if found.URL != request.URL {
			return webhook.Webhook{}, webhook.ErrOtherContent
		}
		return found, recordWebhook(ctx, tx, request.Author, done, found)
	})
	if postgres.Violates(err, "webhooks_url") {
		return webhook.Webhook{}, webhook.ErrURLTaken
	}
	return added, err
}

func findRequested(ctx context.Context, tx pgx.Tx, request webhook.AddRequest) (webhook.Webhook, error) {
	rows, _ := tx.Query(ctx, queries.SQL("FindRequestedWebhook"), request.SellerID, request.RequestID)
	return pgx.CollectExactlyOneRow(rows, scanWebhook)
}

// insertWebhook stores a webhook while its seller is locked. Error: webhook.ErrTooMany.
func insertWebhook(
	ctx context.Context, tx pgx.Tx, request webhook.AddRequest, id uuid.UUID, sealed []byte, begin webhook.Clocks,
) error {
	var count int
	if err := tx.QueryRow(ctx, queries.SQL("CountWebhooks"), request.SellerID).Scan(&count); err != nil {
		return err
	}
	if count >= webhook.MaxPerSeller {
		return webhook.ErrTooMany
	}
	_, err := tx.Exec(ctx, queries.SQL("InsertWebhook"), request.SellerID, id, request.RequestID, request.URL, sealed,
		begin.Orders, begin.Claims, begin.QnA)
	return err
}

// ListWebhooks returns the webhooks of a seller, oldest first.
func (s *Store) ListWebhooks(ctx context.Context, request webhook.Request) ([]webhook.Webhook, error) {
	return postgres.InTxReturning(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) ([]webhook.Webhook, error) {
		hooks, err := postgres.Collect(ctx, tx, scanWebhook, queries.SQL("ListWebhooks"), request.SellerID)
		if err != nil {
			return nil, err
		}
		return hooks, record(ctx, tx, entry{author: request.Author, action: audit.WebhooksListed, sellerID: &request.SellerID})
	})
}

// RotateWebhook replaces the secret of a webhook; the same request again changes nothing. Error: webhook.ErrUnknown.
func (s *Store) RotateWebhook(
	ctx context.Context, request webhook.Request, sealed []byte, overlap time.Duration,
) (webhook.Webhook, error) {
	return postgres.InTxReturning(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) (webhook.Webhook, error) {
		hook, last, err := holdWebhook(ctx, tx, request)
		if err != nil {
			return hook, err
		}
		done := audit.WebhookRotatedAgain
		if last != request.RequestID {
			done = audit.WebhookRotated
			if _, err := tx.Exec(ctx, queries.SQL("RotateWebhook"), request.SellerID, request.ID, request.RequestID, sealed,
				overlap); err != nil {
				return hook, err
			}
			if hook, _, err = holdWebhook(ctx, tx, request); err != nil {
				return hook, err
			}
		}
		return hook, recordWebhook(ctx, tx, request.Author, done, hook)
	})
}

// PauseWebhook stops the deliveries of a webhook. Error: webhook.ErrUnknown.
func (s *Store) PauseWebhook(ctx context.Context, request webhook.Request) (webhook.Webhook, error) {
	return s.changeWebhook(ctx, request, "PauseWebhook", audit.WebhookPaused)
}

// ResumeWebhook starts the deliveries of a webhook again. Error: webhook.ErrUnknown.
func (s *Store) ResumeWebhook(ctx context.Context, request webhook.Request) (webhook.Webhook, error) {
	return s.changeWebhook(ctx, request, "ResumeWebhook", audit.WebhookResumed)
}

func (s *Store) changeWebhook(
	ctx context.Context, request webhook.Request, statement string, done audit.Action,
) (webhook.Webhook, error) {
	return postgres.InTxReturning(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) (webhook.Webhook, error) {
		if _, err := tx.Exec(ctx, queries.SQL(statement), request.SellerID, request.ID); err != nil {
			return webhook.Webhook{}, err
		}
		hook, _, err := holdWebhook(ctx, tx, request)
		if err != nil {
			return hook, err
		}
		return hook, recordWebhook(ctx, tx, request.Author, done, hook)
	})
}

// RemoveWebhook removes a webhook, if there is one.
func (s *Store) RemoveWebhook(ctx context.Context, request webhook.Request) error {
	return postgres.InTx(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		hook := webhook.Webhook{ID: request.ID, SellerID: request.SellerID}
		err := tx.QueryRow(ctx, queries.SQL("RemoveWebhook"), request.SellerID, request.ID).Scan(&hook.URL)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		return recordWebhook(ctx, tx, request.Author, audit.WebhookRemoved, hook)
	})
}

// ListWebhookDeliveries returns at most limit deliveries with ids before the given one, latest first.
func (s *Store) ListWebhookDeliveries(
	ctx context.Context, request webhook.Request, before uuid.UUID, limit int,
) ([]webhook.Delivery, error) {
	return postgres.InTxReturning(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) ([]webhook.Delivery, error) {
		deliveries, err := postgres.Collect(ctx, tx, scanDelivery, queries.SQL("ListWebhookDeliveries"), request.SellerID, request.ID,
			before, limit)
		if err != nil {
			return nil, err
		}
		hook := webhook.Webhook{ID: request.ID, SellerID: request.SellerID}
		return deliveries, recordWebhook(ctx, tx, request.Author, audit.WebhookDeliveriesShown, hook)
	})
}

// ClaimWebhookForTest claims a webhook in any state. Errors: webhook.ErrUnknown, webhook.ErrUnderWay.
func (s *Store) ClaimWebhookForTest(ctx context.Context, request webhook.Request, lasts time.Duration) (webhook.Claimed, error) {
	return postgres.InTxReturning(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) (webhook.Claimed, error) {
		hook, _, err := holdWebhook(ctx, tx, request)
		if err != nil {
			return webhook.Claimed{}, err
		}
		due := webhook.Due{SellerID: request.SellerID, ID: request.ID}
		claimed, ok, err := claimWebhook(ctx, tx, "HoldUnclaimedWebhook", due, lasts)
		if err != nil {
			return webhook.Claimed{}, err
		}
		if !ok {
			return webhook.Claimed{}, webhook.ErrUnderWay
		}
		return claimed, recordWebhook(ctx, tx, request.Author, audit.WebhookTested, hook)
	})
}

// holdWebhook locks a webhook of the seller and returns it with the id of the call that made its secret. Error:
// webhook.ErrUnknown.
func holdWebhook(
	ctx context.Context, tx pgx.Tx, request webhook.Request,
) (hook webhook.Webhook, rotation uuid.UUID, err error) {
	rows, _ := tx.Query(ctx, queries.SQL("HoldWebhook"), request.SellerID, request.ID)
	hook, err = pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (webhook.Webhook, error) {
		var found webhook.Webhook
		err := scanWebhookInto(row, &found, &rotation)
		return found, err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return webhook.Webhook{}, uuid.Nil, webhook.ErrUnknown
	}
	return hook, rotation, err
}

// recordWebhook appends an entry about a webhook to the audit trail.
func recordWebhook(ctx context.Context, tx pgx.Tx, author audit.Author, done audit.Action, hook webhook.Webhook) error {
	detail := map[string]any{"webhook_id": hook.ID}
	if hook.URL != "" {
		detail["url"] = hook.URL
	}
	return record(ctx, tx, entry{author: author, action: done, sellerID: &hook.SellerID, detail: detail})
}

func scanWebhook(row pgx.CollectableRow) (webhook.Webhook, error) {
	var hook webhook.Webhook
	err := scanWebhookInto(row, &hook)
	return hook, err
}

// scanWebhookInto scans the leading columns of every query on webhooks, and more ones after them.
func scanWebhookInto(row pgx.CollectableRow, hook *webhook.Webhook, more ...any) error {
	var failed bool
	var now time.Time
	columns := append([]any{
		&hook.ID, &hook.SellerID, &hook.URL, &hook.CreatedAt, &hook.PausedAt, &failed, &hook.FailingSince, &hook.PreviousUntil, &now,
		&hook.Sealed, &hook.SealedPrevious,
	}, more...)
	if err := row.Scan(columns...); err != nil {
		return err
	}
	switch {
	case hook.PausedAt == nil:
		hook.State = webhook.Active
	case failed:
		hook.State = webhook.Failed
	default:
		hook.State = webhook.Paused
	}
	if hook.PreviousUntil != nil && !hook.PreviousUntil.After(now) {
		hook.PreviousUntil, hook.SealedPrevious = nil, nil
	}
	return nil
}

func scanDelivery(row pgx.CollectableRow) (webhook.Delivery, error) {
	var delivery webhook.Delivery
	var milliseconds int64
	err := row.Scan(&delivery.ID, &delivery.Type, &delivery.At, &delivery.Status, &delivery.Failure, &milliseconds)
	delivery.Took = time.Duration(milliseconds) * time.Millisecond
	return delivery, err
}
