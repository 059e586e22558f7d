package store_test

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/services/qna/internal/store"
)

// The record's statements are those of package inbox, so its tables must be the ones that the package describes.
func TestTheTablesOfTheRecordAreThoseOfPackageInbox(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"00002_inbox.sql": inbox.Schema} {
		migration, err := fs.ReadFile(store.Migrations(), name)
		require.NoError(t, err)
		require.Contains(t, string(migration), text)
	}
}
