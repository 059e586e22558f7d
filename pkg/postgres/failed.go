package postgres

import (
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// failedRows are the rows of a failed query. As with pgx's own rows, a caller may read them and gets the error from Err.
type failedRows struct{ err error }

// Err implements pgx.Rows.
func (r failedRows) Err() error { return r.err }

// Scan implements pgx.Rows.
func (r failedRows) Scan(...any) error { return r.err }

// Values implements pgx.Rows.
func (r failedRows) Values() ([]any, error) { return nil, r.err }

// Close implements pgx.Rows.
func (failedRows) Close() {}

// CommandTag implements pgx.Rows.
func (failedRows) CommandTag() pgconn.CommandTag { return pgconn.CommandTag{} }

// FieldDescriptions implements pgx.Rows.
func (failedRows) FieldDescriptions() []pgconn.FieldDescription { return nil }

// Next implements pgx.Rows.
func (failedRows) Next() bool { return false }

// RawValues implements pgx.Rows.
func (failedRows) RawValues() [][]byte { return nil }

// Conn implements pgx.Rows.
func (failedRows) Conn() *pgx.Conn { return nil }

// TypeMap implements pgx.Rows; there are no values.
func (failedRows) TypeMap() *pgtype.Map { return nil }

type failedBatch struct{ err error }

// Exec implements pgx.BatchResults.
func (b failedBatch) Exec() (pgconn.CommandTag, error) { return pgconn.CommandTag{}, b.err }

// Query implements pgx.BatchResults.
func (b failedBatch) Query() (pgx.Rows, error) { return failedRows(b), b.err }

// QueryRow implements pgx.BatchResults.
func (b failedBatch) QueryRow() pgx.Row { return failedRows(b) }

// Close implements pgx.BatchResults.
func (b failedBatch) Close() error { return b.err }

// Tx implements pgx.BatchResults; the batch began none.
func (failedBatch) Tx() pgx.Tx { return nil }
