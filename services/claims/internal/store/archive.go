package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
)

// archiveInterval is the interval at which the sweep looks for ended claims.
const archiveInterval = time.Minute

// The statements that read one claim, rewritten for the archive.
var (
	findArchived        = fromArchive("FindArchived", "FindClaim")
	findArchivedRefunds = fromArchive("FindArchivedRefunds", "FindRefunds")
)

// fromArchive rewrites a statement about one claim to read the archive.
func fromArchive(name, statement string) string {
	return postgres.Named(name, queries.Text("Archived")+"\n"+queries.Text(statement))
}

// ArchiveEnded returns the sweep that archives claims whose last change is at least that long ago.
func (s *Store) ArchiveEnded(after time.Duration) sweep.Sweep {
	find := func(ctx context.Context, limit int, last endedClaim) ([]endedClaim, error) {
		return due[endedClaim](ctx, s, "EndedClaims", limit, after, last.UpdatedAt)
	}
	return sweep.Sweep{
		Name: "archive_claims", Interval: archiveInterval,
		Find: sweep.Walk(find, func(ended endedClaim) sweep.Item {
			return sweep.Item{Key: ended.ClaimNo, About: telemetry.Number(telemetry.ClaimNo, ended.ClaimNo), Do: func(ctx context.Context) error {
				archived, err := s.Archive(ctx, ended.DueClaim, after)
				return sweep.Did(archived, err)
			}}
		}),
	}
}

// endedClaim is a claim that ended, with its last change.
type endedClaim struct {
	DueClaim

	UpdatedAt time.Time
}

// Archive moves a claim and all others of the same seller's part of the order into the archive, and reports whether it did. It moves
// none if one of them is open or has changed since, or if they are archived already.
func (s *Store) Archive(ctx context.Context, ended DueClaim, after time.Duration) (bool, error) {
	return postgres.InTxReturning(ctx, postgres.OfSeller(s.pool, ended.SellerID), func(ctx context.Context, tx pgx.Tx) (bool, error) {
		var now *time.Time
		if err := tx.QueryRow(ctx, queries.SQL("LockClaims"), ended.SellerID, ended.ClaimNo).Scan(&now); err != nil || now == nil {
			return false, err
		}
		// Checked before the clock, too: it advances only when there is something to archive, because other writers of the seller wait
		// for it.
		if orderNo, err := endedOrder(ctx, tx, ended, after); err != nil || orderNo == "" {
			return false, err
		}
		// New claims of a seller are serialized by the clock, so no claim of this order can begin from here on.
		if _, err := postgres.TickSeller(ctx, tx, ended.SellerID); err != nil {
			return false, err
		}
		orderNo, err := endedOrder(ctx, tx, ended, after)
		if err != nil || orderNo == "" {
			return false, err
		}
		moved, err := tx.Exec(ctx, queries.SQL("ArchiveClaims"), ended.SellerID, orderNo)
		return moved.RowsAffected() > 0, err
	})
}

// endedOrder returns the order of a locked claim if all claims of the seller's part of it have ended, and otherwise "".
func endedOrder(ctx context.Context, tx pgx.Tx, ended DueClaim, after time.Duration) (string, error) {
	rows, _ := tx.Query(ctx, queries.SQL("HasEnded"), ended.SellerID, ended.ClaimNo, after)
	orderNo, err := pgx.CollectOneRow(rows, pgx.RowTo[string])
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return orderNo, postgres.Wrap("check whether claims are completed", err)
}

// bringBack restores a claim of a seller from the archive, with the others of its order, and reports whether it was archived.
// CLAIM_NOT_FOUND when the seller has no such claim. It takes the seller's clock first, as Open does; otherwise the two could wait for
// each other.
func bringBack(ctx context.Context, tx pgx.Tx, seller uuid.UUID, no string) (bool, error) {
	orderNo, err := orderOfKept(ctx, tx, seller, no)
	if err != nil {
		return false, err
	}
	if _, err := postgres.TickSeller(ctx, tx, seller); err != nil {
		return false, err
	}
	return bringBackAll(ctx, tx, seller, orderNo)
}

// bringBackAll restores the claims of a seller's part of an order from the archive, and reports whether there were any.
func bringBackAll(ctx context.Context, tx pgx.Tx, seller uuid.UUID, orderNo string) (bool, error) {
	tag, err := tx.Exec(ctx, queries.SQL("BringBack"), seller, orderNo)
	if err != nil {
		return false, fmt.Errorf("restore claims: %w", err)
	}
	return tag.RowsAffected() > 0, nil
}

// BringBack restores a claim from the archive for an operator, with the others of its order, and reports whether it was archived. It
// updates updated_at, so that the claim appears in its seller's list and is not archived again at once. CLAIM_NOT_FOUND.
func (s *Store) BringBack(ctx context.Context, no string) (bool, error) {
	seller, err := s.Seller(ctx, no)
	if err != nil {
		return false, err
	}
	return postgres.InTxReturning(ctx, postgres.OfSeller(s.pool, seller), func(ctx context.Context, tx pgx.Tx) (bool, error) {
		if back, err := bringBack(ctx, tx, seller, no); err != nil || !back {
			return false, err
		}
		at, err := postgres.TickSeller(ctx, tx, seller)
		if err != nil {
			return false, err
		}
		_, err = tx.Exec(ctx, queries.SQL("TouchClaim"), seller, no, at)
		return true, err
	})
}

// find reads one claim, live or archived. Each read has a snapshot of its own, so a claim can move between them and be missed by both;
// it is read again as long as it is in one of the two places. CLAIM_NOT_FOUND.
func find(ctx context.Context, db postgres.Querier, seller uuid.UUID, no string) (Row, error) {
	for {
		for _, statement := range []string{queries.SQL("FindClaim"), findArchived} {
			rows, _ := db.Query(ctx, statement, seller, no)
			row, err := pgx.CollectOneRow(rows, scanClaim)
			if errors.Is(err, pgx.ErrNoRows) {
				continue
			}
			if err != nil {
				return Row{}, fmt.Errorf("find claim: %w", err)
			}
			telemetry.Number(telemetry.OrderNo, row.OrderNo).Note(ctx)
			return row, nil
		}
		if _, err := orderOfKept(ctx, db, seller, no); err != nil {
			return Row{}, err
		}
	}
}

// orderOfKept returns the order of a claim of a seller, archived or not. CLAIM_NOT_FOUND when the seller has no such claim.
func orderOfKept(ctx context.Context, db postgres.Querier, seller uuid.UUID, no string) (string, error) {
	rows, _ := db.Query(ctx, queries.SQL("OrderOfKept"), seller, no)
	orderNo, err := pgx.CollectOneRow(rows, pgx.RowTo[string])
	return orderNo, postgres.WrapRow("find the order of a claim", err, apierr.ClaimNotFound)
}
