package signin_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/console/internal/signin"
)

// A link to the sign-in of the console cannot lead a person who trusts it to another place.
func TestReturnPath(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"/", "/sellers/1/keys", "/sellers/1/requests?from=2026-01-01T00%3A00%3A00Z&key=a"} {
		require.Equal(t, text, signin.ReturnPath(text))
	}
	for _, text := range []string{
		"", "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example", "/\n/evil.example",
		"https://evil.example", "https:evil.example", "javascript:alert(1)", "evil.example", "/a/..//evil.example", "/./a", "/a/../b",
		"/%2f%2fevil.example/..", "/a#b", "/\x00", "/" + strings.Repeat("a", 2000), " /a", "//user@evil.example",
	} {
		require.Equal(t, "/", signin.ReturnPath(text), "%q", text)
	}
}
