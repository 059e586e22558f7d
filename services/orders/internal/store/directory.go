package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
)

// directory is a table of numbers, with the code for a number that it does not have and the statement that takes one.
type directory struct {
	absent apierr.Code
	take   string
}

// The directories whose numbers callers know from an earlier answer.
var (
	orderNumbers = directory{absent: apierr.OrderNotFound, take: "AwaitNumber"}
	holdNumbers  = directory{absent: apierr.ClaimNotFound, take: "MarkReleased"}
)

// errUndone rolls a transaction back that was only to wait.
var errUndone = errors.New("the number was taken for a moment")

// whenCommitted makes an attempt of a call about a number, and another one if the directory has the number only then: the node
// of a distributed database that has the number may commit after the others, and a caller for whom the number does not exist
// gives up.
func (s *Store) whenCommitted(ctx context.Context, d directory, number string, attempt func() error) error {
	absent := attempt()
	if !errors.Is(absent, d.absent) {
		return absent
	}
	isThere, err := s.awaitNumber(ctx, d, number)
	switch {
	case err != nil:
		return err
	case isThere:
		return attempt()
	default:
		return absent
	}
}

// awaitNumber waits for a transaction that is about to commit a number, and reports whether the directory has it. Reading does
// not wait: the number is taken, and given back.
func (s *Store) awaitNumber(ctx context.Context, d directory, number string) (isThere bool, err error) {
	err = postgres.InTx(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) error {
		taken, err := tx.Exec(ctx, queries.SQL(d.take), number)
		if err != nil {
			return err
		}
		isThere = taken.RowsAffected() == 0
		return errUndone
	})
	if errors.Is(err, errUndone) {
		err = nil
	}
	return isThere, postgres.Wrap("find number", err)
}
