// Package invalidtest checks that an intake takes the texts of a kind that all others take, and no others.
package invalidtest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/invalid"
)

// candidates are texts on both sides of what kinds ask for, beside those of its length.
var candidates = []string{
	"", " ", "\u3164", "A", "A-1", "a-1", "A_1.x", "-A", ".A", "A/1", "A 1", "A\n", "a\tb\r\nc", "a\rb", "a\x00b", "a\u0085b",
	strings.Repeat("A", 50), strings.Repeat("A", 51), strings.Repeat("A", 64), strings.Repeat("A", 65), "가",
}

// RequireKind sends texts in a field of a call. Those that are not of the kind must be refused by the name of the field, and the
// others must not.
func RequireKind(t *testing.T, kind invalid.Text, field string, send func(text string) error) {
	t.Helper()
	texts := candidates
	if kind.Max > 0 {
		texts = append([]string{strings.Repeat("가", kind.Max), strings.Repeat("가", kind.Max+1)}, candidates...)
	}
	for _, text := range texts {
		var problems invalid.Problems
		good := problems.Text(field, text, kind)
		err := send(text)
		refused := err != nil && strings.Contains(err.Error(), field+": ")
		require.Equal(t, !good, refused, "%s %.80q: %v", field, text, err)
	}
}
