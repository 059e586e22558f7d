//go:build citus

package distributedtest_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
	"sellerapi.dev/pkg/postgres/pgtest"
)

// A statement without its seller, or with two, is detected by its plan on a distributed database.
func TestOneShard_findsForgottenSeller(t *testing.T) {
	t.Parallel()
	distributedtest.RequireCluster(t)
	migrations := fstest.MapFS{"00001_notes.sql": {Data: []byte(`-- +goose Up
create table notes (seller_id uuid, n int, primary key (seller_id, n));`)}}
	db := pgtest.New(t, migrations)
	a, b := uuid.New(), uuid.New()
	sellers := distributedtest.Spread{Reason: "a batch", Sellers: 1}
	for name, c := range map[string]struct {
		sql    string
		args   []any
		spread *distributedtest.Spread
		fails  bool
	}{
		"one seller":              {"select n from notes where seller_id = $1", []any{a}, nil, false},
		"no seller":               {"select n from notes where n = $1", []any{1}, nil, true},
		"no seller, exempt":       {"select n from notes where n = $1", []any{1}, &distributedtest.Spread{Reason: "a sweep"}, false},
		"exempt without a reason": {"select n from notes where n = $1", []any{1}, &distributedtest.Spread{}, true},
		"exempt without need": {
			"select n from notes where seller_id = $1",
			[]any{a},
			&distributedtest.Spread{Reason: "a sweep"}, true,
		},
		"several sellers, exempt": {
			"update notes set n = n where seller_id = any ($1)",
			[]any{[]uuid.UUID{a, b}},
			&sellers, false,
		},
		"batch of sellers without a seller": {
			"update notes set n = n where $1::uuid[] is not null",
			[]any{[]uuid.UUID{a, b}},
			&sellers, true,
		},
		"insert for one seller": {
			"insert into notes (seller_id, n) select $1, unnest($2::int[])",
			[]any{a, []int{7}},
			nil, false,
		},
		"insert for several sellers": {
			"insert into notes (seller_id, n) select unnest($1::uuid[]), 8",
			[]any{[]uuid.UUID{a, b}},
			nil, true,
		},
	} {
		pool, recorder := db.Recorded(t)
		_, err := pool.Exec(t.Context(), "-- name: Statement\n"+c.sql, c.args...)
		require.NoError(t, err, name)
		spreads := map[string]distributedtest.Spread{}
		if c.spread != nil {
			spreads["Statement"] = *c.spread
		}
		require.Equal(t, c.fails, pgtest.Fails(t, func(t testing.TB) { //nolint:thelper // a test under test
			distributedtest.RequireOneShard(t, migrations, recorder, []string{"Statement"}, spreads)
		}), name)
	}
}
