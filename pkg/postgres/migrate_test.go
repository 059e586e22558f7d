package postgres_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/secret"
)

const versions = "select array_agg(version_id order by id) from goose_db_version where is_applied"

// Replicas that start at the same time migrate a schema once.
func TestMigrate_replicasStartingAtOnce(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, nil)
	execute(t, db.Pool, "drop schema "+db.Schema)
	var group errgroup.Group
	for range 4 {
		group.Go(func() error { return postgres.Migrate(t.Context(), db.Config, db.Schema, migrations()) })
	}
	require.NoError(t, group.Wait())
	require.Equal(t, []int64{0, 1, 2}, one[[]int64](t, db.Pool, versions))
	require.Equal(t, db.Schema, one[string](t, db.Pool,
		"select schemaname from pg_tables where tablename = 'things' and schemaname = $1", db.Schema))
}

// Each schema has its own versions, and a second run finds nothing to do.
func TestMigrate_versionsPerSchema(t *testing.T) {
	t.Parallel()
	first, second := pgtest.New(t, migrations()), pgtest.New(t, nil)
	later := migrations()
	later["00003_more.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\ncreate table more (id int);")}
	require.NoError(t, postgres.Migrate(t.Context(), second.Config, second.Schema, later))
	require.NoError(t, postgres.Migrate(t.Context(), second.Config, second.Schema, later), "a second run finds nothing to do")
	require.Equal(t, []int64{0, 1, 2}, one[[]int64](t, first.Pool, versions))
	require.Equal(t, []int64{0, 1, 2, 3}, one[[]int64](t, second.Pool, versions))
}

// A failed migration is rolled back completely.
func TestMigrate_failureLeavesNothing(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, nil)
	broken := migrations()
	broken["00003_broken.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\ncreate table half (id int);\ncreate table things " +
		"(id int);")}
	err := postgres.Migrate(t.Context(), db.Config, db.Schema, broken)
	require.ErrorContains(t, err, "version:3")
	require.Equal(t, []int64{0, 1, 2}, one[[]int64](t, db.Pool, versions))
	require.False(t, one[bool](t, db.Pool, "select to_regclass('half') is not null"))
}

func TestMigrate_roleWithoutCreatePrivilege(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, nil)
	db.Config.URL = secret.New(createRole(t, db, "grant create, usage on schema %[2]s to %[1]s"))
	require.NoError(t, postgres.Migrate(t.Context(), db.Config, db.Schema, migrations()))
}

// A schema whose name has to be quoted is migrated too.
func TestMigrate_unusualSchemaName(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, nil)
	const schema = `un"usual Name`
	require.NoError(t, postgres.Migrate(t.Context(), db.Config, schema, migrations()))
	t.Cleanup(func() { execute(t, db.Pool, `drop schema "un""usual Name" cascade`) })
	require.Equal(t, 3, one[int](t, db.Pool, `select count(*) from "un""usual Name".goose_db_version`))
}

// A schema that another text of a migration made is refused before anything changes, with a sentence that says what to do; so is
// one in which no text is recorded.
func TestMigrate_refusesChangedText(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"another":  "update goose_db_version set digest = 'another' where version_id = 1",
		"unnoted":  "update goose_db_version set digest = null where version_id = 1",
		"no_texts": "alter table goose_db_version drop column digest",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := pgtest.New(t, migrations())
			execute(t, db.Pool, change)
			later := migrations()
			later["00003_more.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\ncreate table more (id int);")}
			err := postgres.Migrate(t.Context(), db.Config, db.Schema, later)
			require.ErrorContains(t, err, "00001_things.sql has changed since it made this schema")
			require.ErrorContains(t, err, "make clean")
			require.Equal(t, []int64{0, 1, 2}, one[[]int64](t, db.Pool, versions))
		})
	}
}
