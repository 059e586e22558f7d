package store

import (
	"embed"
	"io/fs"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

//go:embed queries/*.sql
var queryFiles embed.FS

// queries are the statements of this package.
var queries = postgres.MustLoadQueries(queryFiles).With(contactColumns())

// Tx is a transaction that a caller began: handlers pass it through without knowing what it is.
type Tx = pgx.Tx

// Store reads and writes the schema of one instance of the service. It is safe for concurrent use.
type Store struct {
	pool  *postgres.Pool
	terms order.Terms
}

// New returns the store on an open pool.
func New(pool *postgres.Pool, terms order.Terms) *Store { return &Store{pool: pool, terms: terms} }

// Settings are the session settings that the statements rely on. Each has one plan that is right for any arguments, because
// it follows an index in the order of its page. A plan made for the arguments at hand would follow statistics instead, which
// know neither how a seller's orders lie in time nor that few of them are asked for. And a plan that is made while the tables
// are small is kept when they grow, so it must not read them from end to end even where that is cheap today. Compiling a plan
// takes longer than any of them.
func Settings() map[string]string {
	return map[string]string{
		"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off", "enable_bitmapscan": "off", "jit": "off",
	}
}

// Migrations returns the migrations of the schema.
func Migrations() fs.FS {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		panic(err) // the name is a constant that is embedded above
	}
	return files
}
