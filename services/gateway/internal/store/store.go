// Package store keeps sellers, API keys and their audit trail in PostgreSQL, schema gateway.
//
// It owns the locks and the clock: a key is issued while its seller's row is locked, so that two concurrent requests cannot
// both take the last free slot, and expiry is decided by the database's clock alone, so that a replica's clock cannot extend a
// key's life. Every change and its audit entry are one transaction.
//
// The statements are in queries/*.sql, each with the index that serves it; the tables are in migrations/*.sql.
package store

import (
	"embed"
	"io/fs"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/gateway/internal/apikey"
)

// Schema is the only schema that the gateway uses.
const Schema = "gateway"

//go:embed migrations/*.sql
var migrationFiles embed.FS

//go:embed queries/*.sql
var queryFiles embed.FS

var queries = postgres.MustLoadQueries(queryFiles)

// Migrations returns the goose files of the schema, in the root of the file system.
func Migrations() fs.FS { return postgres.MigrationsIn(migrationFiles) }

// Store accesses the gateway's schema. It is safe for concurrent use.
type Store struct{ pool *postgres.Pool }

// New returns a store on a pool whose search path is the schema.
func New(pool *postgres.Pool) *Store { return &Store{pool: pool} }

var _ apikey.Store = (*Store)(nil)
