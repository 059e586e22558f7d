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

// Migrations returns the migrations of the schema.
func Migrations() fs.FS { return postgres.MigrationsIn(migrationFiles) }
