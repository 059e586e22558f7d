package postgres_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

// inserting is a batch that inserts things.
func inserting(ids ...int) *pgx.Batch {
	batch := &pgx.Batch{}
	for _, id := range ids {
		batch.Queue("insert into things (id, note) values ($1, 'x')", id)
	}
	return batch
}

// twin is a batch that inserts a thing with a twin, which is looked for at the commit.
func twin(id, of int) *pgx.Batch {
	batch := &pgx.Batch{}
	batch.Queue("insert into things (id, note, twin) values ($1, 'x', $2)", id, of)
	return batch
}

// Both batches count or neither does, and the connection goes back without a transaction.
func TestInBatches(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		first  int
		second *pgx.Batch
		fail   error
		kept   int
		breaks string
	}{
		"both":            {first: 1, second: inserting(2), kept: 2},
		"nothing to do":   {first: 1},
		"refused":         {first: 1, second: inserting(2), fail: apierr.OrderNotFound},
		"first violates":  {first: 0, second: inserting(2), breaks: "things_pkey"},
		"second violates": {first: 1, second: inserting(2, 0), breaks: "things_pkey"},
		"commit violates": {first: 1, second: twin(2, 99), breaks: "twin_exists"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := pgtest.New(t, migrations())
			_, err := db.Pool.Exec(t.Context(), "insert into things (id, note) values (0, 'x')")
			require.NoError(t, err)
			err = postgres.InBatches(t.Context(), postgres.AllSellers(db.Pool), func() *pgx.Batch { return inserting(test.first) },
				func(results pgx.BatchResults) (*pgx.Batch, error) {
					if _, err := results.Exec(); err != nil {
						return nil, err
					}
					return test.second, test.fail
				})
			if test.breaks != "" {
				require.True(t, postgres.Violates(err, test.breaks), err)
			} else {
				require.Equal(t, test.fail, err)
			}
			require.Equal(t, 1+test.kept, one[int](t, db.Pool, "select count(*) from things"))
			requireIdle(t, db)
		})
	}
}

// A panic goes on, and leaves neither effect nor transaction behind.
func TestInBatches_panic(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, migrations())
	require.PanicsWithValue(t, "bug", func() {
		_ = postgres.InBatches(t.Context(), postgres.AllSellers(db.Pool), func() *pgx.Batch { return inserting(1) },
			func(pgx.BatchResults) (*pgx.Batch, error) { panic("bug") })
	})
	require.Zero(t, one[int](t, db.Pool, "select count(*) from things"))
	requireIdle(t, db)
}

// requireIdle requires that all connections are in the pool, outside of transactions.
func requireIdle(t *testing.T, db *pgtest.DB) {
	t.Helper()
	require.Zero(t, db.Pool.Stat().AcquiredConns())
	for _, conn := range db.Pool.AcquireAllIdle(t.Context()) {
		require.Equal(t, byte('I'), conn.Conn().PgConn().TxStatus())
		conn.Release()
	}
}
