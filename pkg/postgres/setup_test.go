package postgres_test

import (
	"context"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

func migrations() fstest.MapFS {
	return fstest.MapFS{
		"00001_things.sql": {Data: []byte(`-- +goose Up
create table things (
    id   bigint primary key,
    note text not null,
    twin bigint constraint twin_exists references things (id) deferrable initially deferred
);`)},
		"00002_seller_clock.sql": {Data: []byte(`-- +goose Up
create table seller_clock (seller_id uuid primary key, last timestamptz not null);
create table seller_offsets (seller_id uuid primary key, ahead interval not null);
create function seller_now(seller_id uuid) returns timestamptz language sql return clock_timestamp();
create function clock_after(last timestamptz, at timestamptz) returns timestamptz language sql immutable
return greatest(at, last + interval '1 microsecond');`)},
	}
}

func one[T any](t *testing.T, db querier, sql string, args ...any) T {
	t.Helper()
	value, err := first[T](t.Context(), db, sql, args...)
	require.NoError(t, err)
	return value
}

// first is one without a test, for other goroutines.
func first[T any](ctx context.Context, db querier, sql string, args ...any) (T, error) {
	var zero T
	rows, err := db.Query(ctx, sql, args...)
	if err != nil {
		return zero, err
	}
	return pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
}

type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

func insert(ctx context.Context, tx pgx.Tx, id int) error {
	_, err := tx.Exec(ctx, "insert into things (id, note) values ($1, 'x')", id)
	return err
}

func with(t *testing.T, change func(*postgres.Config)) *pgtest.DB {
	t.Helper()
	db := pgtest.New(t, migrations())
	change(&db.Config)
	return db
}

func soon(t *testing.T, condition func() bool, promise string) {
	t.Helper()
	require.Eventually(t, condition, time.Minute, 10*time.Millisecond, promise)
}
