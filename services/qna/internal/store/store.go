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

// Migrations returns the migrations of the schema.
func Migrations() fs.FS { return postgres.MigrationsIn(migrationFiles) }
