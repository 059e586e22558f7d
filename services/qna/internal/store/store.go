package store

import (
	"embed"
	"io/fs"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

//go:embed queries/*.sql
var queryFiles embed.FS

// queries are the statements of this package.
var queries = postgres.MustLoadQueries(queryFiles)

// Tx is the transaction that the caller began: handlers pass it through without knowing what it is.
type Tx = pgx.Tx

// Store reads and writes the schema of one instance of the service. It is safe for concurrent use.
type Store struct{ pool *postgres.Pool }

// New returns the store on an open pool.
func New(pool *postgres.Pool) *Store { return &Store{pool: pool} }

// Settings are the session settings that the statements rely on. Each statement has an index that is right for any arguments. The
// planner, which does not know how many inquiries a seller has, would rather collect those of a small table in another way and sort
// them, and may keep that plan while the table grows.
func Settings() map[string]string {
	return map[string]string{"enable_seqscan": "off", "enable_bitmapscan": "off"}
}

// Migrations returns the migrations of the schema.
func Migrations() fs.FS {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		panic(err) // the name is a constant that is embedded above
	}
	return files
}
