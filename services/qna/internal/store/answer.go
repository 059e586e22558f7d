package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// AnswerCommand is an answer sent by a seller.
type AnswerCommand struct {
	SellerID uuid.UUID
	// KeyID is the API key that was used, for the history.
	KeyID   string
	QnaID   uuid.UUID
	Content string
}

// Answered is an inquiry after an answer to it was accepted.
type Answered struct {
	QnaID uuid.UUID
	// Converged says that the answer already existed.
	Converged bool
	UpdatedAt time.Time
	// Answer is the current answer: if converged, the text of the first call.
	Answer inquiry.Answer
}

// Answer loads the inquiry, decides and saves, in the caller's transaction.
//
// QNA_NOT_FOUND: the seller has no such inquiry. QNA_ALREADY_ANSWERED: it has another answer. QNA_ANSWER_UNRESOLVED: an
// operator canceled an answer between the decision and the write.
func Answer(ctx context.Context, tx Tx, command AnswerCommand) (Answered, error) {
	seen, err := findState(ctx, tx, command.SellerID, command.QnaID)
	if err != nil {
		return Answered{}, err
	}
	if _, err := seen.Decide(command.Content); err != nil {
		return Answered{}, err
	}
	now, err := holdState(ctx, tx, command.SellerID, command.QnaID)
	if err != nil {
		return Answered{}, err
	}
	decision, err := inquiry.Settle(seen, now, command.Content)
	if err != nil {
		return Answered{}, err
	}
	if decision == inquiry.Converge {
		return Answered{QnaID: command.QnaID, Converged: true, UpdatedAt: now.UpdatedAt, Answer: *now.Answer}, nil
	}
	return register(ctx, tx, command, now)
}

// register writes the answer of a locked inquiry.
func register(ctx context.Context, tx Tx, command AnswerCommand, held inquiry.State) (Answered, error) {
	at, err := postgres.TickSeller(ctx, tx, command.SellerID)
	if err != nil {
		return Answered{}, err
	}
	_, err = tx.Exec(ctx, queries.SQL("RegisterAnswer"), command.SellerID, command.QnaID, command.Content, at,
		held.Status, held.Target(inquiry.TriggerAnswer), inquiry.TriggerAnswer, inquiry.ActorAPI, command.KeyID)
	if err != nil {
		return Answered{}, fmt.Errorf("register answer: %w", err)
	}
	answer := inquiry.Answer{Content: command.Content, AnsweredAt: at}
	return Answered{QnaID: command.QnaID, UpdatedAt: at, Answer: answer}, nil
}

func findState(ctx context.Context, tx Tx, seller, qnaID uuid.UUID) (inquiry.State, error) {
	rows, _ := tx.Query(ctx, queries.SQL("FindState"), seller, qnaID)
	found, err := pgx.CollectExactlyOneRow(rows, scanState)
	return found, postgres.WrapRow("find inquiry", err, apierr.QnaNotFound)
}

// holdState locks the inquiry until the end of the transaction and reads its state. QNA_NOT_FOUND when the seller has no such
// inquiry.
func holdState(ctx context.Context, tx Tx, seller, qnaID uuid.UUID) (inquiry.State, error) {
	if _, err := tx.Exec(ctx, queries.SQL("LockInquiry"), seller, qnaID); err != nil {
		return inquiry.State{}, fmt.Errorf("lock inquiry: %w", err)
	}
	return findState(ctx, tx, seller, qnaID)
}
