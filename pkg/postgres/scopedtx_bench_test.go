package postgres_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

// BenchmarkScopedTx compares a transaction of one statement in a seller's scope with the driver's own, which sends begin, the
// scope, the statement and commit in a round trip each.
//
//	go test . -run '^$' -bench ScopedTx -benchtime 1s -count 3
func BenchmarkScopedTx(b *testing.B) {
	db, seller := pgtest.New(b, migrations()), uuid.New()
	pool := db.AsService(b)
	var id int
	for _, side := range []struct {
		name string
		run  func(context.Context) error
	}{
		{"scoped", func(ctx context.Context) error {
			return postgres.InTx(ctx, postgres.OfSeller(pool, seller), func(ctx context.Context, tx pgx.Tx) error {
				id++
				return postgres.AtCommit(ctx, tx, insertThing, id)
			})
		}},
		{"plain", func(ctx context.Context) error {
			return pgx.BeginFunc(ctx, pool.Pool, func(tx pgx.Tx) error {
				if _, err := tx.Exec(ctx, "select set_config('app.seller', $1, true)", seller.String()); err != nil {
					return err
				}
				id++
				_, err := tx.Exec(ctx, insertThing, id)
				return err
			})
		}},
	} {
		b.Run(side.name, func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, side.run(b.Context()))
			}
		})
	}
}
