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

// New returns a store that uses an open pool.
func New(pool *postgres.Pool) *Store { return &Store{pool: pool} }

// Settings returns the session settings that the statements rely on. Each statement has an index that suits all arguments. The
// planner, which does not know how many inquiries a seller has, prefers another scan and a sort while the table is small, and
// can keep that plan while the table grows.
func Settings() map[string]string {
	return map[string]string{"enable_seqscan": "off", "enable_bitmapscan": "off"}
}

// Migrations returns the migrations of the schema.
func Migrations() fs.FS { return postgres.MigrationsIn(migrationFiles) }
