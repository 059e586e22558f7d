package docs

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Browsers cache the library under the name that its version gives: another library under the old name would never reach
// them.
func TestLibraryVersion_isOfTheLibrary(t *testing.T) {
	t.Parallel()
	digest := sha256.Sum256(library)
	require.Equal(t, hex.EncodeToString(digest[:8]), strings.TrimSpace(libraryVersion))
}
