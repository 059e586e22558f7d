package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
)

// archiveInterval is the maximum time between two searches for ended inquiries.
const archiveInterval = time.Minute

// Ended is an answered inquiry.
type Ended struct{ SellerID, QnaID uuid.UUID }

// ArchiveEnded returns the sweep that archives answered inquiries whose last change is at least this long ago.
func (s *Store) ArchiveEnded(after time.Duration) sweep.Sweep {
	find := func(ctx context.Context, limit int) ([]Ended, error) { return s.EndedInquiries(ctx, after, limit) }
	return sweep.Sweep{
		Name: "archive_inquiries", Interval: archiveInterval,
		Find: sweep.Each(find, func(ended Ended) sweep.Item {
			return sweep.Item{Key: ended.QnaID.String(), About: telemetry.Number(telemetry.QnaID, ended.QnaID.String()), Do: func(ctx context.Context) error {
				archived, err := s.Archive(ctx, ended, after)
				return sweep.Did(archived, err)
			}}
		}),
	}
}

// EndedInquiries returns at most limit answered inquiries that were not changed for the given time.
func (s *Store) EndedInquiries(ctx context.Context, after time.Duration, limit int) ([]Ended, error) {
	all := postgres.AllSellers(s.pool)
	ended, err := postgres.Collect(ctx, all, pgx.RowToStructByPos[Ended], queries.SQL("EndedInquiries"), limit, after)
	return ended, postgres.Wrap("find completed inquiries", postgres.Classify(err))
}

// Archive moves an inquiry into the archive and reports whether it did. It skips one that was changed since or is archived already.
func (s *Store) Archive(ctx context.Context, ended Ended, after time.Duration) (bool, error) {
	return postgres.InTxReturning(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx Tx) (bool, error) {
		locked, err := tx.Exec(ctx, queries.SQL("LockInquiry"), ended.SellerID, ended.QnaID)
		if err != nil || locked.RowsAffected() == 0 {
			return false, err
		}
		found, err := tx.Exec(ctx, queries.SQL("HasEnded"), ended.SellerID, ended.QnaID, after)
		if err != nil || found.RowsAffected() == 0 {
			return false, err
		}
		moved, err := tx.Exec(ctx, queries.SQL("ArchiveInquiry"), ended.SellerID, ended.QnaID)
		return moved.RowsAffected() > 0, err
	})
}

// bringBack restores an inquiry of a seller from the archive, if it is there. QNA_NOT_FOUND when the seller has no such inquiry.
func bringBack(ctx context.Context, tx Tx, seller, qnaID uuid.UUID) (moved bool, err error) {
	kept, err := tx.Exec(ctx, queries.SQL("IsKept"), seller, qnaID)
	if err != nil {
		return false, fmt.Errorf("find archived inquiry: %w", err)
	}
	if kept.RowsAffected() == 0 {
		return false, apierr.QnaNotFound
	}
	tag, err := tx.Exec(ctx, queries.SQL("BringBack"), seller, qnaID)
	if err != nil {
		return false, fmt.Errorf("restore inquiry: %w", err)
	}
	return tag.RowsAffected() > 0, nil
}

// BringBack restores an inquiry from the archive for an operator, and reports whether it was there. It gets a new updated_at, so that its
// seller sees it in the list and it is not archived again at once. QNA_NOT_FOUND: no seller has such an inquiry.
func (s *Store) BringBack(ctx context.Context, qnaID uuid.UUID) (bool, error) {
	return postgres.InTxReturning(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx Tx) (bool, error) {
		seller, err := ownerOf(ctx, tx, qnaID)
		if err != nil {
			return false, err
		}
		if back, err := bringBack(ctx, tx, seller, qnaID); err != nil || !back {
			return false, err
		}
		at, err := postgres.TickSeller(ctx, tx, seller)
		if err != nil {
			return false, err
		}
		_, err = tx.Exec(ctx, queries.SQL("TouchInquiry"), seller, qnaID, at)
		return true, err
	})
}

// ownerOf returns the seller of an inquiry. QNA_NOT_FOUND.
func ownerOf(ctx context.Context, tx Tx, qnaID uuid.UUID) (uuid.UUID, error) {
	var seller uuid.UUID
	err := tx.QueryRow(ctx, queries.SQL("FindOwner"), qnaID).Scan(&seller)
	return seller, postgres.WrapRow("find the owner of an inquiry", err, apierr.QnaNotFound)
}
