package inbox

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
)

const day = 24 * time.Hour

// Age makes the stored answers and keys of a seller as much older as the seller's clock has moved, in the transaction that moves
// it. Their own times are those of the wall clock, so that a request costs nothing more where no clock moves.
func Age(ctx context.Context, tx pgx.Tx, seller uuid.UUID, move postgres.ClockMove) error {
	if _, err := tx.Exec(ctx, queries.SQL("InboxAgeAnswers"), seller, (move.After - move.Before).Seconds()); err != nil {
		return postgres.Wrap("age responses", err)
	}
	days := int64(move.After/day) - int64(move.Before/day) // a remainder counts with the next move
	_, err := tx.Exec(ctx, queries.SQL("InboxAgeKeys"), seller, days)
	return postgres.Wrap("age idempotency keys", err)
}
