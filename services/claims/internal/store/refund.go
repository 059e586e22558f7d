package store

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/claims/internal/claim"
)

// Refunds returns the refunds of a claim, which may be none.
func (s *Store) Refunds(ctx context.Context, seller uuid.UUID, no string) ([]claim.Refund, error) {
	refunds, err := findRefunds(ctx, postgres.OfSeller(s.pool, seller), seller, no)
	return refunds, postgres.Classify(err)
}

// RefundOwner returns the claim of a refund, for a provider that sends only the refund's id. CLAIM_NOT_FOUND.
func (s *Store) RefundOwner(ctx context.Context, id uuid.UUID) (seller uuid.UUID, no string, err error) {
	err = postgres.AllSellers(s.pool).QueryRow(ctx, queries.SQL("FindRefundClaim"), id).Scan(&seller, &no)
	return seller, no, postgres.Classify(postgres.WrapRow("find the claim of a refund", err, apierr.ClaimNotFound))
}

// Refunding applies the rules to a refund. moved is false if nothing changes. If complete is not nil, it decides the claim in the
// same transaction; otherwise the claim is unchanged, and the step that finishes it is planned when the refund has succeeded.
type Refunding func(r claim.Refund, now time.Time) (next claim.Refund, entries []claim.Entry, moved bool, complete Deciding)

// RefundOutcome is a refund and its claim after a decision.
type RefundOutcome struct {
	Refund claim.Refund
	Moved  bool
	Claim  claim.Claim
}

// ChangeRefund locks the claim of a refund, applies the rules and saves the result, in one transaction. CLAIM_NOT_FOUND when
// the seller's claim has no such refund.
func (s *Store) ChangeRefund(ctx context.Context, seller uuid.UUID, no string, id uuid.UUID,
	refund Refunding,
) (RefundOutcome, error) {
	var outcome RefundOutcome
	err := postgres.InTx(ctx, postgres.OfSeller(s.pool, seller), func(ctx context.Context, tx pgx.Tx) error {
		held, now, err := hold(ctx, tx, seller, no)
		if err != nil {
			return err
		}
		before, err := findRefund(ctx, tx, seller, no, id)
		if err != nil {
			return err
		}
		next, entries, moved, complete := refund(before, now)
		outcome = RefundOutcome{Refund: next, Moved: moved, Claim: held.Claim}
		if moved {
			if err := saveRefund(ctx, tx, held, next, entries, now); err != nil {
				return err
			}
		}
		if complete != nil {
			if outcome.Claim, err = decideHeld(ctx, tx, held, complete, now); err != nil {
				return err
			}
		}
		if !moved {
			return nil
		}
		return planAfter(ctx, tx, &outcome.Claim, next)
	})
	return outcome, err
}

// planAfter plans the steps that finish a claim whose refund has succeeded.
func planAfter(ctx context.Context, tx pgx.Tx, c *claim.Claim, r claim.Refund) error {
	batch := &pgx.Batch{}
	if err := queueSteps(ctx, batch, c, c.AfterRefund(r), ""); err != nil || batch.Len() == 0 {
		return err
	}
	return postgres.Wrap("plan the next steps", tx.SendBatch(ctx, batch).Close())
}

// decideHeld applies the rules to a locked claim and saves it. A refusal does not affect the refund's change.
func decideHeld(ctx context.Context, tx pgx.Tx, held Row, decide Deciding, now time.Time) (claim.Claim, error) {
	undone, err := sumUndone(ctx, tx, &held.Claim)
	if err != nil {
		return claim.Claim{}, err
	}
	decision := decide(&held.Claim, undone, now)
	if decision.Verdict != claim.Execute || decision.Resumed {
		return held.Claim, nil
	}
	return save(ctx, tx, held, decision.Change)
}

func saveRefund(ctx context.Context, tx pgx.Tx, held Row, r claim.Refund, entries []claim.Entry, now time.Time) error {
	batch := &pgx.Batch{}
	batch.Queue(queries.SQL("UpdateRefund"), held.SellerID, held.ID, r.Kind, r.Status, r.Failures, r.NextAt, r.ProviderReference,
		r.SucceededAt, r.UnansweredSince)
	queueEntries(batch, held, entries, now)
	return postgres.Wrap("save refund", tx.SendBatch(ctx, batch).Close())
}

func findRefund(ctx context.Context, tx pgx.Tx, seller uuid.UUID, no string, id uuid.UUID) (claim.Refund, error) {
	refunds, err := findRefunds(ctx, tx, seller, no)
	if err != nil {
		return claim.Refund{}, err
	}
	for _, r := range refunds {
		if r.ID == id {
			return r, nil
		}
	}
	return claim.Refund{}, apierr.ClaimNotFound.Because(errors.New("the claim has no such refund"))
}

func findRefunds(ctx context.Context, db postgres.Querier, seller uuid.UUID, no string) ([]claim.Refund, error) {
	refunds, err := postgres.Collect(ctx, db, scanRefund, queries.SQL("FindRefunds"), seller, no)
	return refunds, postgres.Wrap("find refunds", err)
}
