package inquiry_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/qna/internal/inquiry"
)

// A client that sends an answer again through another system must converge although that system changed invisible details.
func TestSameContent_readsTheSame(t *testing.T) {
	t.Parallel()
	for name, pair := range map[string][2]string{
		"equal":               {"네, 가능합니다.", "네, 가능합니다."},
		"decomposed":          {"\ud55c\uae00", "\u1112\u1161\u11ab\u1100\u1173\u11af"},
		"singleton":           {"5 \u212b", "5 \u00c5"},
		"CR LF and LF":        {"one\r\ntwo\r\n\r\nthree", "one\ntwo\n\nthree"},
		"white space around":  {" \t\u3000yes\u00a0\n", "yes"},
		"line end at the end": {"yes\r\n", "yes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.True(t, inquiry.SameContent(pair[0], pair[1]))
			require.True(t, inquiry.SameContent(pair[1], pair[0]))
		})
	}
}

// An answer cannot be changed, so any visible difference must count as another answer.
func TestSameContent_readsDifferently(t *testing.T) {
	t.Parallel()
	for name, pair := range map[string][2]string{
		"letter case":       {"Yes", "yes"},
		"space inside":      {"in stock", "instock"},
		"two spaces inside": {"in stock", "in  stock"},
		"line feed inside":  {"one two", "one\ntwo"},
		"full width":        {"10", "\uff11\uff10"},
		"compatibility":     {"\u00bd", "1/2"},
		"punctuation":       {"yes", "yes."},
		"prefix":            {"yes", "yes we do"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.False(t, inquiry.SameContent(pair[0], pair[1]))
			require.False(t, inquiry.SameContent(pair[1], pair[0]))
		})
	}
}

func FuzzSameContent_isEquivalence(f *testing.F) {
	f.Add("yes", "yes\r\n")
	f.Add("\u1112\u1161\u11ab", "\ud55c")
	f.Fuzz(func(t *testing.T, a, b string) {
		require.True(t, inquiry.SameContent(a, a))
		require.Equal(t, inquiry.SameContent(a, b), inquiry.SameContent(b, a))
		require.True(t, inquiry.SameContent(a, "\n"+a+"\r\n"), "surrounding white space is ignored")
	})
}
