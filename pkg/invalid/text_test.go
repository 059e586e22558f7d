package invalid_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/invalid"
)

// A text that shows nothing to a reader is blank.
func TestIsBlank_whatReadersDoNotSee(t *testing.T) {
	t.Parallel()
	for _, blank := range []string{
		"", " ", "\t\n\r", "\u00a0", "\u3000", "\u2028", "\u200b", "\ufeff", "\u202e", "\u00ad", "\u2060",
		"\u3164", "\uffa0", "\u115f\u1160", "\u2800", "\u034f", "\ufe0f", "\u180e", "\x00", " \u3164\u200b ",
	} {
		require.True(t, invalid.IsBlank(blank), "%q", blank)
	}
	for _, text := range []string{"x", " x ", "가", "ㄱ", "-", ".", "\u200bx", "😀", "0"} {
		require.False(t, invalid.IsBlank(text), "%q", text)
	}
}
