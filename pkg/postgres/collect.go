package postgres

import (
	"context"
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
