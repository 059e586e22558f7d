package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// Cancel cancels the answer of an inquiry, in the caller's transaction, and reports whether there was one.
// QNA_NOT_FOUND: no seller has such an inquiry.
func Cancel(ctx context.Context, tx pgx.Tx, command inquiry.CancelCommand) (changed bool, err error) {
	var seller uuid.UUID
	if err := tx.QueryRow(ctx, queries.SQL("FindOwner"), command.QnaID).Scan(&seller); err != nil {
		return false, postgres.WrapRow("find the owner of an inquiry", err, apierr.QnaNotFound)
	}
	held, err := holdState(ctx, tx, seller, command.QnaID)
	if err != nil {
		return false, err
	}
	target := held.Target(inquiry.TriggerCancel)
	if target == "" {
		return false, nil
	}
	at, err := postgres.TickSeller(ctx, tx, seller)
	if err != nil {
		return false, err
	}
	_, err = tx.Exec(ctx, queries.SQL("CancelAnswer"), seller, command.QnaID, at,
		target, inquiry.TriggerCancel, inquiry.ActorOperator, command.Operator, command.Reason)
	if err != nil {
		return false, fmt.Errorf("cancel answer: %w", err)
	}
	return true, nil
}

// Cancel is the function Cancel in its own transaction.
func (s *Store) Cancel(ctx context.Context, command inquiry.CancelCommand) (changed bool, err error) {
	return postgres.InTxReturning(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) (bool, error) {
		return Cancel(ctx, tx, command)
	})
}
