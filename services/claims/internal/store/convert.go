package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/claims/internal/claim"
)

// Converting asks the rules for the end of an exchange and the return that takes its place.
type Converting func(c *claim.Claim, policy claim.Policy, undone claim.Undone, now time.Time) claim.Conversion

// Convert ends an exchange and opens the return in its place, in one transaction, and returns the return. returnNo is the number
// that its conversion is registered with. A repetition returns the return as it stands. CLAIM_NOT_FOUND, IDEMPOTENCY_KEY_REUSED when
// the return's number is taken, IDEMPOTENCY_UNRESOLVED when the conversion has another number by now, or the refusal that the rules gave.
func (s *Store) Convert(ctx context.Context, seller uuid.UUID, no, returnNo string, convert Converting) (claim.Claim, error) {
	var successor claim.Claim
	err := postgres.InTx(ctx, postgres.OfSeller(s.pool, seller), func(ctx context.Context, tx pgx.Tx) error {
		// The number comes first, as in every transaction that takes one: a call that waits for it holds nothing else.
		taken, err := tx.Exec(ctx, queries.SQL("TakeNumber"), returnNo, seller)
		if err != nil {
			return fmt.Errorf("take the number of a return: %w", err)
		}
		held, now, err := hold(ctx, tx, seller, no)
		if err != nil {
			return err
		}
		if held.ReplacedBy != returnNo {
			return held.Problem(apierr.IdempotencyUnresolved)
		}
		undone, err := sumUndone(ctx, tx, &held.Claim)
		if err != nil {
			return err
		}
		// New claims of the seller begin one after the other, by the clock, and the return is one.
		if _, err := tick(ctx, tx, seller); err != nil {
			return err
		}
		policy, err := findCharges(ctx, tx, seller, held.OrderNo)
		if err != nil {
			return err
		}
		switch conversion := convert(&held.Claim, policy, undone, now); conversion.Verdict {
		case claim.AlreadyDone:
			row, err := find(ctx, tx, seller, held.ReplacedBy)
			successor = row.Claim
			return err
		case claim.Execute:
			if taken.RowsAffected() == 0 {
				return apierr.IdempotencyKeyReused
			}
			successor, err = saveConversion(ctx, tx, held, conversion)
			return err
		default:
			return conversion.Err
		}
	})
	return successor, err
}

// saveConversion writes both claims, each under a time of the clock of its own.
func saveConversion(ctx context.Context, tx pgx.Tx, held Row, conversion claim.Conversion) (claim.Claim, error) {
	if _, err := save(ctx, tx, held, conversion.Old); err != nil {
		return claim.Claim{}, err
	}
	at, err := tick(ctx, tx, held.SellerID)
	if err != nil {
		return claim.Claim{}, err
	}
	conversion.New.Next.RequestedAt = at
	return insert(ctx, tx, conversion.New, at)
}
