package store

import (
	"context"
	"errors"
	"slices"
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
type Refunding func(r claim.Refund, now time.Time) (next claim.Refund, entries []claim.LedgerEntry, moved bool, complete Deciding)

// RefundResult is a refund and its claim after a decision.
type RefundResult struct {
	Refund claim.Refund
	Moved  bool
	Claim  claim.Claim
}

// ChangeRefund locks the claim of a refund, applies the rules and saves the result, in one transaction. CLAIM_NOT_FOUND when
// the seller's claim has no such refund.
func (s *Store) ChangeRefund(ctx context.Context, seller uuid.UUID, no string, id uuid.UUID,
	refund Refunding,
) (RefundResult, error) {
	var outcome RefundResult
	err := postgres.InTx(ctx, postgres.OfSeller(s.pool, seller), func(ctx context.Context, tx pgx.Tx) error {
		var before []claim.Refund
		reading := &pgx.Batch{}
		reading.Queue(queries.SQL("FindRefunds"), seller, no).Query(func(rows pgx.Rows) (err error) {
			before, err = pgx.CollectRows(rows, scanRefund)
			return err
		})
		held, err := hold(ctx, tx, seller, no, reading)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(before, func(r claim.Refund) bool { return r.ID == id })
		if i < 0 {
			return apierr.ClaimNotFound.Because(errors.New("the claim has no such refund"))
		}
		outcome, err = saveRefund(ctx, tx, held, before[i], refund)
		return err
	})
	return outcome, err
}

// saveRefund applies the rules to a refund of a locked claim, and perhaps to the claim: a refusal does not affect the refund. It
// plans the steps that finish the claim after a success.
func saveRefund(ctx context.Context, tx pgx.Tx, held held, before claim.Refund, refund Refunding) (RefundResult, error) {
	r, entries, moved, complete := refund(before, held.now)
	outcome := RefundResult{Refund: r, Moved: moved, Claim: held.Claim}
	var decided claim.Decision
	if complete != nil {
		decided = complete(&held.Claim, held.undone, held.now)
	}
	if decided.Saves() {
		outcome.Claim = decided.Change.Next
	}
	batch := &pgx.Batch{}
	if moved {
		batch.Queue(queries.SQL("UpdateRefund"), held.SellerID, held.ID, r.Kind, r.Status, r.Failures, r.NextAt, r.ProviderReference,
			r.SucceededAt, r.UnansweredSince, held.now)
		queueEntries(batch, held.Row, entries, held.now)
		if err := queueSteps(ctx, batch, &outcome.Claim, outcome.Claim.AfterRefund(r), ""); err != nil {
			return RefundResult{}, err
		}
	}
	if !decided.Saves() {
		return outcome, postgres.Wrap("save refund", send(ctx, tx, batch))
	}
	var err error
	outcome.Claim, err = save(ctx, tx, batch, held.Row, decided.Change)
	return outcome, err
}

func findRefunds(ctx context.Context, db postgres.Querier, seller uuid.UUID, no string) ([]claim.Refund, error) {
	refunds, err := postgres.Collect(ctx, db, scanRefund, queries.SQL("FindRefunds"), seller, no)
	return refunds, postgres.Wrap("find refunds", err)
}
