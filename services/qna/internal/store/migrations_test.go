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
	migration, err := fs.ReadFile(store.Migrations(), "00002_inbox.sql")
	require.NoError(t, err)
	require.Contains(t, string(migration), inbox.Schema)
}
