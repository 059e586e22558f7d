package store

import (
	"embed"
	"io/fs"

	"sellerapi.dev/pkg/postgres"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

//go:embed queries/*.sql
var queryFiles embed.FS

var queries = postgres.MustLoadQueries(queryFiles)

// Store reads and writes the schema of one instance of the service. It is safe for concurrent use.
type Store struct{ pool *postgres.Pool }

// New returns the store on an open pool.
func New(pool *postgres.Pool) *Store { return &Store{pool: pool} }

// Settings are the session settings that the statements rely on. A statement has one plan that suits all arguments. It is made
// once per connection, since making it takes several times as long as running it. It can be made while the tables are small and
// is still used when they have grown, so other scans than those of indexes are disabled. Only lists with a range of request
// times are planned for each request.
func Settings() map[string]string {
	return map[string]string{"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off", "enable_bitmapscan": "off"}
}

// Migrations returns the migrations of the schema.
func Migrations() fs.FS { return postgres.MigrationsIn(migrationFiles) }
