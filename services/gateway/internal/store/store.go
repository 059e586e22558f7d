// Package store keeps sellers, API keys and their audit trail in PostgreSQL, schema gateway.
//
// It owns the locks and the clock: a key is issued while its seller's row is held, so that two requests at once cannot
// both take the last free place, and whether a key has expired is decided on the database's clock alone, so that no
// replica's clock can lengthen a key's life. Every effect and its audit entry are one transaction.
//
// The statements are in queries/*.sql with the index that serves each; the tables are in migrations/*.sql.
package store

import (
	"embed"
	"io/fs"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/gateway/internal/apikey"
)

// Schema is the one schema that the gateway reads and writes.
const Schema = "gateway"

//go:embed migrations/*.sql
var migrationFiles embed.FS

//go:embed queries/*.sql
var queryFiles embed.FS

var queries = postgres.MustLoadQueries(queryFiles)

// Migrations returns the goose files of the schema, in the root of the file system.
func Migrations() fs.FS {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		panic(err) // only for a name that is not a path
	}
	return files
}

// Store is the gateway's part of the database. It is safe for concurrent use.
type Store struct{ pool *postgres.Pool }

// New returns a store on a pool whose search path is the schema.
func New(pool *postgres.Pool) *Store { return &Store{pool: pool} }

var _ apikey.Store = (*Store)(nil)
