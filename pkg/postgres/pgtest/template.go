package pgtest

import (
	"crypto/sha256"
	"io/fs"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/secret"
)

// Schema is the one schema of every database for a test.
const Schema = "service"

// templates are databases that are copied for tests, by the digest of their migrations. A copy takes a fifth of the time of the
// migrations. They end with the private server; on a configured server they stay.
var templates struct {
	sync.Mutex
	byDigest map[[sha256.Size]byte]secret.Text
}

// templateOf returns a migrated database without connections.
func templateOf(tb testing.TB, migrations fs.FS) secret.Text {
	tb.Helper()
	digest := Digest(tb, migrations)
	templates.Lock()
	defer templates.Unlock()
	if known, ok := templates.byDigest[digest]; ok {
		return known
	}
	config := Config(tb)
	config.URL = newDatabase(tb, config, "")
	if migrations == nil {
		run(tb, config, "create schema "+Schema)
	} else {
		require.NoError(tb, postgres.Migrate(tb.Context(), config, Schema, migrations))
	}
	ownRole(tb, config)
	if templates.byDigest == nil {
		templates.byDigest = map[[sha256.Size]byte]secret.Text{}
	}
	templates.byDigest[digest] = config.URL
	return config.URL
}

// Digest returns the digest of migrations, zero for none.
func Digest(tb testing.TB, migrations fs.FS) (digest [sha256.Size]byte) {
	tb.Helper()
	if migrations == nil {
		return digest
	}
	sum := sha256.New()
	require.NoError(tb, fs.WalkDir(migrations, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(migrations, file)
		_, _ = sum.Write([]byte(file + "\x00" + string(text) + "\x00"))
		return err
	}))
	return [sha256.Size]byte(sum.Sum(nil))
}
