package store

import (
	"embed"
	"io/fs"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

//go:embed queries/*.sql
var queryFiles embed.FS

var queries = postgres.MustLoadQueries(queryFiles).With(contactColumns())

// Store reads and writes the schema of one instance of the service. It is safe for concurrent use.
type Store struct {
	pool    *postgres.Pool
	terms   order.Terms
	members members
	bounds  bounds
}

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// New returns a store that uses an open pool.
func New(pool *postgres.Pool, terms order.Terms) *Store {
	return &Store{pool: pool, terms: terms, bounds: usualBounds}
}

// Settings returns the session settings that the statements rely on. Each statement has one generic plan that suits all
// arguments, because it scans an index in the order of its page. A custom plan would depend on statistics, which know neither
// the distribution of a seller's orders over time nor that only a few of them are needed. A plan that is cached while the
// tables are small is still used when they have grown, so sequential scans are disabled. JIT is off because compilation takes
// longer than any of the statements, and memoization because a page reads nothing twice: it made pages of walks 4 to 10 %
// slower.
func Settings() map[string]string {
	return map[string]string{
		"plan_cache_mode": "force_generic_plan", "enable_seqscan": "off", "enable_bitmapscan": "off", "jit": "off",
		"enable_memoize": "off",
	}
}

// Migrations returns the migrations of the schema.
func Migrations() fs.FS { return postgres.MigrationsIn(migrationFiles) }
