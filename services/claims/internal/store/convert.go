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

// Converting applies the rules for the end of an exchange and the return that replaces it.
type Converting func(c *claim.Claim, policy claim.Policy, undone claim.Undone, now time.Time) claim.Conversion

// Convert ends an exchange and opens the return that replaces it, in one transaction, and returns the return. returnNo is the
// number registered for the conversion. A repeated call returns the return in its current state. CLAIM_NOT_FOUND;
// IDEMPOTENCY_KEY_REUSED when the return's number is taken; IDEMPOTENCY_UNRESOLVED when the conversion now has another number;
// or the error of the rules.
func (s *Store) Convert(ctx context.Context, seller uuid.UUID, no, returnNo string, convert Converting) (claim.Claim, error) {
	return postgres.InTxReturning(ctx, postgres.OfSeller(s.pool, seller), func(ctx context.Context, tx pgx.Tx) (claim.Claim, error) {
		// The number is taken first, as in every transaction that takes one: a call that waits for it holds no other lock.
		taken, err := tx.Exec(ctx, queries.SQL("TakeNumber"), returnNo, seller)
		if err != nil {
			return claim.Claim{}, fmt.Errorf("reserve the number of a return: %w", err)
		}
		held, err := hold(ctx, tx, seller, no, &pgx.Batch{})
		if err != nil {
			return claim.Claim{}, err
		}
		if held.ReplacedBy != returnNo {
			return claim.Claim{}, held.Problem(apierr.IdempotencyUnresolved)
		}
		// New claims of a seller, such as the return, are serialized by the clock.
		if _, err := postgres.TickSeller(ctx, tx, seller); err != nil {
			return claim.Claim{}, err
		}
		policy := claim.Policy{FeeOneWay: held.FeeOneWay()}
		if policy.WayOutCharged, err = isWayOutCharged(ctx, tx, seller, held.OrderNo); err != nil {
			return claim.Claim{}, err
		}
		switch conversion := convert(&held.Claim, policy, held.undone, held.now); conversion.Verdict {
		case claim.AlreadyDone:
			row, err := find(ctx, tx, seller, held.ReplacedBy)
			return row.Claim, err
		case claim.Execute:
			if taken.RowsAffected() == 0 {
				return claim.Claim{}, apierr.IdempotencyKeyReused
			}
			return saveConversion(ctx, tx, held.Row, conversion)
		default:
			return claim.Claim{}, conversion.Err
		}
	})
}

// saveConversion writes both claims, each with its own clock time.
func saveConversion(ctx context.Context, tx pgx.Tx, held Row, conversion claim.Conversion) (claim.Claim, error) {
	if _, err := save(ctx, tx, &pgx.Batch{}, held, conversion.Old); err != nil {
		return claim.Claim{}, err
	}
	at, err := postgres.TickSeller(ctx, tx, held.SellerID)
	if err != nil {
		return claim.Claim{}, err
	}
	conversion.New.Next.RequestedAt = at
	return insert(ctx, tx, conversion.New, at)
}
