package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
)

// migrated is goose's version table, inside the schema, with the SHA-256 digest of the text that each version had when it was
// applied. goose writes a row in the transaction of its migration.
type migrated struct {
	database.Store
	texts map[int64]migrationText
}

type migrationText struct{ name, digest string }

func newMigrated(migrations fs.FS) (*migrated, error) {
	store, err := database.NewStore(database.DialectPostgres, "goose_db_version")
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(migrations, "*.sql")
	if err != nil {
		return nil, err
	}
	texts := make(map[int64]migrationText, len(names))
	for _, name := range names {
		version, err := goose.NumericComponent(name)
		if err != nil {
			return nil, err
		}
		text, err := fs.ReadFile(migrations, name)
		if err != nil {
			return nil, err
		}
		digest := sha256.Sum256(text)
		texts[version] = migrationText{name: name, digest: hex.EncodeToString(digest[:])}
	}
	return &migrated{Store: store, texts: texts}, nil
}

// CreateVersionTable implements database.Store.
func (m *migrated) CreateVersionTable(ctx context.Context, db database.DBTxConn) error {
	if err := m.Store.CreateVersionTable(ctx, db); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, "alter table goose_db_version add column digest text")
	return err
}

// Insert implements database.Store.
func (m *migrated) Insert(ctx context.Context, db database.DBTxConn, applied database.InsertRequest) error {
	if err := m.Store.Insert(ctx, db, applied); err != nil {
		return err
	}
	_, err := db.ExecContext(ctx, "update goose_db_version set digest = $1 where version_id = $2",
		m.texts[applied.Version].digest, applied.Version)
	return err
}

// ListMigrations implements database.Store. It returns an error if a version was applied with another text, or with one that is
// not recorded: the schema is then not the one that the statements and the next migrations are written for.
func (m *migrated) ListMigrations(ctx context.Context, db database.DBTxConn) ([]*database.ListMigrationsResult, error) {
	for version, text := range m.texts {
		var isChanged bool
		// As JSON, because a table that goose alone made has no digests.
		err := db.QueryRowContext(ctx, `select exists (select from goose_db_version v
			where version_id = $1 and to_jsonb(v) ->> 'digest' is distinct from $2)`, version, text.digest).Scan(&isChanged)
		if err != nil {
			return nil, err
		}
		if isChanged {
			return nil, fmt.Errorf("the migration %s has changed since it made this schema, which cannot be upgraded: "+
				"start with an empty database (make clean deletes that of make up)", text.name)
		}
	}
	return m.Store.ListMigrations(ctx, db)
}
