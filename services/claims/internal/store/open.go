package store

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/claims/internal/claim"
)

// Opening applies the rules to a new claim, requested at now under the seller's policy.
type Opening func(policy claim.Policy, now time.Time) (claim.Change, error)

// Open saves a new claim on an order in a currency and finishes the step that planned it, once per number: a repeated call
// returns the claim in its current state without applying the rules. ErrNoStep when the request was given up in the meantime;
// IDEMPOTENCY_KEY_REUSED when the number belongs to another request.
func (s *Store) Open(ctx context.Context, step Step, currency string, open Opening) (claim.Claim, error) {
	w := step.Request
	return postgres.InTxReturning(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) (claim.Claim, error) {
		existing, err := finishOpening(ctx, tx, step)
		if err != nil {
			return claim.Claim{}, err
		}
		if existing != nil {
			return *existing, nil
		}
		// The clock is taken first: the claim's start is its position in the list, and the claim sees every claim that began before.
		now, err := postgres.TickSeller(ctx, tx, w.SellerID)
		if err != nil {
			return claim.Claim{}, err
		}
		policy, err := findPolicy(ctx, tx, w.SellerID, currency)
		if err != nil {
			return claim.Claim{}, err
		}
		if policy.WayOutCharged, err = isWayOutCharged(ctx, tx, w.SellerID, w.OrderNo); err != nil {
			return claim.Claim{}, err
		}
		change, err := open(policy, now)
		if err != nil {
			return claim.Claim{}, err
		}
		return insert(ctx, tx, change, now)
	})
}

// finishOpening locks the number of a request, finishes its step, and returns the claim if it exists. ErrNoStep when there is
// neither.
func finishOpening(ctx context.Context, tx pgx.Tx, step Step) (*claim.Claim, error) {
	existing, err := requestedBefore(ctx, tx, "LockNumber", step.Request)
	if err != nil {
		return nil, err
	}
	planned, err := tx.Exec(ctx, queries.SQL("FinishStep"), step.SellerID, step.ClaimNo, step.ID)
	if err != nil {
		return nil, fmt.Errorf("finish a step: %w", err)
	}
	if existing != nil || planned.RowsAffected() > 0 {
		return existing, nil
	}
	// The node of the number may have committed before that of the claim. Now the latter has: the step was not there any more.
	existing, err = requestedBefore(ctx, tx, "LockNumber", step.Request)
	if err == nil && existing == nil {
		err = ErrNoStep
	}
	return existing, err
}

// Opened returns the claim of an earlier request. CLAIM_NOT_FOUND when there is none yet, IDEMPOTENCY_KEY_REUSED when its number
// belongs to another request.
func (s *Store) Opened(ctx context.Context, w claim.Wanted) (claim.Claim, error) {
	existing, err := requestedBefore(ctx, postgres.AllSellers(s.pool), "FindContent", w)
	switch {
	case err != nil:
		return claim.Claim{}, postgres.Classify(err)
	case existing == nil:
		return claim.Claim{}, apierr.ClaimNotFound
	default:
		return *existing, nil
	}
}

type reader interface {
	postgres.Querier
	postgres.RowQuerier
}

// requestedBefore returns the claim of the same request, found by number with the given statement; nil when there is none.
func requestedBefore(ctx context.Context, db reader, number string, w claim.Wanted) (*claim.Claim, error) {
	var seller uuid.UUID
	var content []byte
	err := db.QueryRow(ctx, queries.SQL(number), w.No).Scan(&seller, &content)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, nil //nolint:nilnil // no claim and no error: the number is free
	case err != nil:
		return nil, fmt.Errorf("find a request: %w", err)
	case string(content) != string(digest(w)):
		return nil, apierr.IdempotencyKeyReused
	}
	row, err := find(ctx, db, seller, w.No)
	if errors.Is(err, apierr.ClaimNotFound) {
		return nil, nil //nolint:nilnil // the request is stored but its claim is not open yet
	}
	return &row.Claim, err
}

func insert(ctx context.Context, tx pgx.Tx, change claim.Change, at time.Time) (claim.Claim, error) {
	c := change.Next
	c.UpdatedAt = at
	id, err := uuid.NewV7()
	if err != nil {
		return claim.Claim{}, fmt.Errorf("generate the ID of a claim: %w", err)
	}
	batch := &pgx.Batch{}
	queueClaim(batch, id, len(entered("", change)), &c)
	for seq, i := range c.Items {
		batch.Queue(queries.SQL("InsertItem"), c.SellerID, id, seq, i.ItemID, i.SettledItemID, i.ItemCode, i.Quantity, i.ProductName,
			i.OptionName, i.ExchangeOptionName, i.Goods, i.Difference, i.Points, i.AlreadyRefunded,
			i.ExchangeListPrice, i.ExchangeUnitPrice)
	}
	begun := Row{ID: id, Claim: claim.Claim{SellerID: c.SellerID}}
	queueEvidence(batch, begun, c.Performed)
	queueTrail(ctx, batch, begun, change)
	queueLines(batch, c.SellerID, change)
	if err := queueSteps(ctx, batch, &c, change.Steps, refOf(change, begun.Changes+1)); err != nil {
		return claim.Claim{}, err
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return claim.Claim{}, fmt.Errorf("insert claim: %w", err)
	}
	return c, nil
}

func queueClaim(batch *pgx.Batch, id uuid.UUID, changes int, c *claim.Claim) {
	by, code, reason, frozenAt := frozen(c)
	m := &c.Money
	batch.Queue(queries.SQL("InsertClaim"), c.SellerID, id, c.No, c.OrderNo, c.Type, c.Status, c.Reason,
		m.Goods, m.Fee, m.Difference, m.ShippingPaid, m.SellerQuantity, m.AlreadyRefunded, m.Shortfall, m.Refund, m.Shipping,
		c.RequestedAt, c.CompletedAt, c.UpdatedAt, c.PaymentDueAt, c.InspectionDueAt, by, reason, frozenAt, c.Replaces,
		m.Points, m.WayOut, m.ShippingPoints, m.AlreadyPoints, m.RefundPoints, code, changes)
}

func digest(w claim.Wanted) []byte {
	text, err := json.Marshal(w)
	if err != nil {
		panic(err) // cannot happen: a struct of strings and numbers
	}
	sum := sha256.Sum256(text)
	return sum[:]
}
