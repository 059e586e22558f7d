package cli_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"

	"sellerapi.dev/proto/clients/cli"
)

// An answer cannot be changed: the customer would read the replacement of what was not understood for ever. What arrives is
// what was written, or nothing.
func TestAnswer_encodings(t *testing.T) {
	t.Parallel()
	const text = "네, 똠양꿍 맛은\r\n가능합니다 ✓"
	plain := strings.TrimSuffix(text, " ✓") // the mark is not in CP949
	for name, row := range map[string]struct{ input, want string }{
		"UTF-8":                 {text + "\n", text},
		"UTF-8 with a mark":     {"\uFEFF" + text, text},
		"CP949":                 {encoded(t, korean.EUCKR, plain), plain},
		"UTF-16LE":              {encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), text), text},
		"UTF-16BE":              {encoded(t, unicode.UTF16(unicode.BigEndian, unicode.UseBOM), text), text},
		"UTF-16 cut":            {encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), text) + "x", ""},
		"CP949 cut":             {encoded(t, korean.EUCKR, plain) + "\xb0", ""},
		"CP949 and UTF-8":       {encoded(t, korean.EUCKR, plain) + "✓", ""},
		"Shift-JIS":             {encoded(t, japanese.ShiftJIS, "はい、できます"), ""},
		"EUC-JP":                {encoded(t, japanese.EUCJP, "はい、できます"), ""},
		"GBK":                   {encoded(t, simplifiedchinese.GBK, "可以的，谢谢您"), ""},
		"replacement character": {"\uFFFD\uFFFD, 가능합니다", ""},
		"empty":                 {"\uFEFF \n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var got []string
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var body struct{ Content string }
				_ = json.NewDecoder(r.Body).Decode(&body)
				mu.Lock()
				got = append(got, body.Content)
				mu.Unlock()
				answer(`{"qna_id": "Q-1", "status": "answered", "converged": false}`)(w, r)
			}))
			t.Cleanup(s.Close)
			w := newTerminal(t, map[string]string{"SELLER_API_URL": s.URL, "SELLER_API_KEY": key})
			w.world.In = strings.NewReader(row.input)
			if row.want == "" {
				w.runs(cli.ExitFailed, "answer", "Q-1", "-")
				mu.Lock()
				defer mu.Unlock()
				require.Empty(t, got)
				return
			}
			w.runs(cli.ExitDone, "answer", "Q-1", "-")
			w.runs(cli.ExitDone, "answer", "Q-1", strings.TrimSpace(row.input)) // as an argument, on a terminal of that encoding
			mu.Lock()
			defer mu.Unlock()
			require.Equal(t, []string{row.want, row.want}, got)
		})
	}
}

func encoded(t *testing.T, by encoding.Encoding, text string) string {
	t.Helper()
	bytes, err := by.NewEncoder().String(text)
	require.NoError(t, err)
	return bytes
}

// A key comes from a file as editors and shells write it.
func TestLogin_encodings(t *testing.T) {
	t.Parallel()
	for name, input := range map[string]string{
		"UTF-8 with a mark": "\uFEFF" + key + "\r\n",
		"UTF-16":            encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), key+"\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, w := newSeller(t), newTerminal(t, nil)
			w.world.In = strings.NewReader(input)
			w.runs(cli.ExitDone, "login", "--url", s.URL)
		})
	}
}
