package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Collect returns the rows of a statement, each read by scan; without rows it is empty and not nil. The error is not classified.
func Collect[T any](ctx context.Context, db Querier, scan pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	rows, _ := db.Query(ctx, sql, args...) // the rows of a failed query return its error
	return pgx.CollectRows(rows, scan)
}

// Wrap adds to an error what failed; nil stays nil.
func Wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// WrapRow is Wrap for a statement that returns one row: none when there is no row.
func WrapRow(what string, err, none error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return none
	}
	return Wrap(what, err)
}
