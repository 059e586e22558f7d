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

// Answer loads the inquiry, decides and saves, in the caller's transaction.
func (*Store) Answer(ctx context.Context, passed postgres.Tx, command inquiry.AnswerCommand) (inquiry.AnswerResult, error) {
	tx := postgres.Statements(passed)
	seen, err := findState(ctx, tx, command.SellerID, command.QnaID)
	if err != nil {
		return inquiry.AnswerResult{}, err
	}
	if _, err := seen.Decide(command.Content); err != nil {
		return inquiry.AnswerResult{}, err
	}
	now, err := holdState(ctx, tx, command.SellerID, command.QnaID)
	if err != nil {
		return inquiry.AnswerResult{}, err
	}
	decision, err := inquiry.Settle(seen, now, command.Content)
	if err != nil {
		return inquiry.AnswerResult{}, err
	}
	if decision == inquiry.Converge {
		return inquiry.AnswerResult{QnaID: command.QnaID, Converged: true, UpdatedAt: now.UpdatedAt, Answer: *now.Answer}, nil
	}
	return register(ctx, tx, command, now)
}

// register writes the answer of a locked inquiry.
func register(ctx context.Context, tx pgx.Tx, command inquiry.AnswerCommand, held inquiry.State) (inquiry.AnswerResult, error) {
	at, err := postgres.TickSeller(ctx, tx, command.SellerID)
	if err != nil {
		return inquiry.AnswerResult{}, err
	}
	_, err = tx.Exec(ctx, queries.SQL("RegisterAnswer"), command.SellerID, command.QnaID, command.Content, at,
		held.Status, held.Target(inquiry.TriggerAnswer), inquiry.TriggerAnswer, inquiry.ActorAPI,
		command.KeyID, command.KeyPrefix, command.RequestID)
	if err != nil {
		return inquiry.AnswerResult{}, fmt.Errorf("register answer: %w", err)
	}
	answer := inquiry.Answer{Content: command.Content, AnsweredAt: at}
	return inquiry.AnswerResult{QnaID: command.QnaID, UpdatedAt: at, Answer: answer}, nil
}

func findState(ctx context.Context, tx pgx.Tx, seller, qnaID uuid.UUID) (inquiry.State, error) {
	rows, _ := tx.Query(ctx, queries.SQL("FindState"), seller, qnaID)
	found, err := pgx.CollectExactlyOneRow(rows, scanState)
	return found, postgres.WrapRow("find inquiry", err, apierr.QnaNotFound)
}

// holdState locks the inquiry until the end of the transaction and reads its state. QNA_NOT_FOUND when the seller has no such
// inquiry.
func holdState(ctx context.Context, tx pgx.Tx, seller, qnaID uuid.UUID) (inquiry.State, error) {
	if _, err := tx.Exec(ctx, queries.SQL("LockInquiry"), seller, qnaID); err != nil {
		return inquiry.State{}, fmt.Errorf("lock inquiry: %w", err)
	}
	return findState(ctx, tx, seller, qnaID)
}
