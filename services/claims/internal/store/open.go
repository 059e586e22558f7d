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

// Opening asks the rules for a new claim. Requested at now, by the seller's policy.
type Opening func(policy claim.Policy, now time.Time) (claim.Change, error)

// Open saves a new claim and finishes the step that planned it, once for each number: a repetition returns the claim as it
// stands and does not ask the rules. ErrNoStep when the request was given up meanwhile; IDEMPOTENCY_KEY_REUSED when the
// number belongs to another request.
func (s *Store) Open(ctx context.Context, step Step, open Opening) (claim.Claim, error) {
	var opened claim.Claim
	w := step.Request
	err := postgres.InTx(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) error {
		planned, err := tx.Exec(ctx, queries.SQL("FinishStep"), step.ID)
		if err != nil {
			return fmt.Errorf("finish a step: %w", err)
		}
		existing, err := requestedBefore(ctx, tx, w)
		if err != nil || existing != nil {
			opened = deref(existing)
			return err
		}
		if planned.RowsAffected() == 0 {
			return ErrNoStep
		}
		// The clock is taken first: the claim begins at the time that it is listed under, and sees every claim that began before.
		now, err := tick(ctx, tx, w.SellerID)
		if err != nil {
			return err
		}
		policy, err := findCharges(ctx, tx, w.SellerID, w.OrderNo)
		if err != nil {
			return err
		}
		change, err := open(policy, now)
		if err != nil {
			return err
		}
		opened, err = insert(ctx, tx, change, digest(w), now)
		return err
	})
	if errors.Is(err, errTaken) {
		return s.Opened(ctx, w) // someone requested it at the same moment
	}
	return opened, err
}

// Opened returns the claim of a request that was taken before. CLAIM_NOT_FOUND when it was not, IDEMPOTENCY_KEY_REUSED when
// its number belongs to another request.
func (s *Store) Opened(ctx context.Context, w claim.Wanted) (claim.Claim, error) {
	existing, err := requestedBefore(ctx, postgres.AllSellers(s.pool), w)
	if err == nil && existing == nil {
		err = apierr.ClaimNotFound
	}
	return deref(existing), postgres.Classify(err)
}

// errTaken tells that the number of a claim was taken a moment ago.
var errTaken = errors.New("the claim number is taken")

// reader is a pool or a transaction.
type reader interface {
	querier
	QueryRow(ctx context.Context, statement string, args ...any) pgx.Row
}

// requestedBefore looks for the claim of the same request; nil when the number is free.
func requestedBefore(ctx context.Context, db reader, w claim.Wanted) (*claim.Claim, error) {
	var seller uuid.UUID
	var content []byte
	err := db.QueryRow(ctx, queries.SQL("FindContent"), w.No).Scan(&seller, &content)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, nil //nolint:nilnil // no claim and no error: the number is free
	case err != nil:
		return nil, fmt.Errorf("find a request: %w", err)
	case string(content) != string(digest(w)):
		return nil, apierr.IdempotencyKeyReused
	}
	row, err := find(ctx, db, seller, w.No)
	return &row.Claim, err
}

// insert writes a new claim with everything that belongs to it. content is nil for a claim that nobody requested.
func insert(ctx context.Context, tx pgx.Tx, change claim.Change, content []byte, at time.Time) (claim.Claim, error) {
	c := change.Next
	c.UpdatedAt = at
	by, code, reason, frozenAt := frozen(&c)
	m := &c.Money
	var id int64
	err := tx.QueryRow(ctx, queries.SQL("InsertClaim"), c.No, c.SellerID, c.OrderNo, c.Type, c.Status, c.Reason, content,
		m.Goods, m.Fee, m.Difference, m.ShippingPaid, m.SellerQuantity, m.AlreadyRefunded, m.Shortfall, m.Refund, m.Shipping,
		c.RequestedAt, c.CompletedAt, c.UpdatedAt, c.PaymentDueAt, c.InspectionDueAt, by, reason, frozenAt, c.Replaces,
		m.Points, m.WayOut, m.ShippingPoints, m.AlreadyPoints, m.RefundPoints, code).Scan(&id)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return claim.Claim{}, errTaken
	case err != nil:
		return claim.Claim{}, fmt.Errorf("insert claim: %w", err)
	}
	batch := &pgx.Batch{}
	for seq, i := range c.Items {
		batch.Queue(queries.SQL("InsertItem"), id, seq, i.ItemID, i.SettledItemID, i.ItemCode, i.Quantity, i.ProductName,
			i.OptionName, i.ExchangeOptionName, i.Goods, i.Difference, i.Points, i.AlreadyRefunded, i.ExchangeListPrice)
	}
	queueEvidence(batch, Row{ID: id}, c.Performed)
	queueTrail(batch, id, "", change)
	queueLines(batch, c.SellerID, change)
	queueSteps(ctx, batch, &c, change.Steps, refOf(change))
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return claim.Claim{}, fmt.Errorf("insert claim: %w", err)
	}
	return c, nil
}

// digest stands for the content of a request.
func digest(w claim.Wanted) []byte {
	text, err := json.Marshal(w)
	if err != nil {
		panic(err) // a struct of texts and numbers
	}
	sum := sha256.Sum256(text)
	return sum[:]
}

func deref(c *claim.Claim) claim.Claim {
	if c == nil {
		return claim.Claim{}
	}
	return *c
}
