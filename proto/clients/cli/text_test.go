package cli_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
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
// what was written, or nothing: CP949 only on request, as short texts of other encodings look like it.
func TestAnswer_encodings(t *testing.T) {
	t.Parallel()
	const text = "네, 똠양꿍 맛은\r\n가능합니다 ✓"
	plain := strings.TrimSuffix(text, " ✓") // the mark is not in CP949
	for name, row := range map[string]struct{ input, named, want string }{
		"UTF-8":                 {text + "\n", "", text},
		"UTF-8 named CP949":     {text, "cp949", text},
		"UTF-8 with marks":      {"\uFEFF\uFEFF" + text, "", text},
		"end of a DOS file":     {text + "\r\n\x1a", "", text},
		"CP949":                 {encoded(t, korean.EUCKR, plain), "cp949", plain},
		"CP949 not named":       {encoded(t, korean.EUCKR, plain), "", ""},
		"UTF-16LE":              {encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), text), "", text},
		"UTF-16BE":              {encoded(t, unicode.UTF16(unicode.BigEndian, unicode.UseBOM), text), "", text},
		"UTF-16 cut":            {encoded(t, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), text) + "x", "", ""},
		"CP949 cut":             {encoded(t, korean.EUCKR, plain) + "\xb0", "cp949", ""},
		"CP949 and UTF-8":       {encoded(t, korean.EUCKR, plain) + "✓", "cp949", ""},
		"Shift-JIS":             {encoded(t, japanese.ShiftJIS, "はい、できます"), "cp949", ""},
		"EUC-JP":                {encoded(t, japanese.EUCJP, "はい、できます"), "cp949", ""},
		"GBK":                   {encoded(t, simplifiedchinese.GBK, "可以的，谢谢您"), "cp949", ""},
		"GBK, short":            {encoded(t, simplifiedchinese.GBK, "你好"), "", ""},
		"GBK with ASCII":        {encoded(t, simplifiedchinese.GBK, "OK 好的"), "", ""},
		"Windows-1252":          {"caf\xe9 \xb0\xb0", "", ""},
		"replacement character": {"\uFFFD\uFFFD, 가능합니다", "", ""},
		"empty":                 {"\uFEFF \n", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, got := answering(t)
			w.world.In = strings.NewReader(row.input)
			line := []string{"answer", "Q-1", "-"}
			if row.named != "" {
				line = append(line, "--encoding", row.named)
			}
			if row.want == "" {
				w.runs(cli.ExitFailed, line...)
				require.Empty(t, got())
				return
			}
			w.runs(cli.ExitDone, line...)
			require.Equal(t, []string{row.want}, got())
		})
	}
}

func answering(t *testing.T) (w *terminal, got func() []string) {
	t.Helper()
	var mu sync.Mutex
	var all []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Content string }
		_ = json.NewDecoder(r.Body).Decode(&body)
		mu.Lock()
		all = append(all, body.Content)
		mu.Unlock()
		answer(`{"qna_id": "Q-1", "status": "answered", "converged": false}`)(w, r)
	}))
	t.Cleanup(s.Close)
	return newTerminal(t, map[string]string{"SELLER_API_URL": s.URL, "SELLER_API_KEY": key}), func() []string {
		mu.Lock()
		defer mu.Unlock()
		return all
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

// A text that names a file is most likely meant to be read from it.
func TestAnswer_nameOfFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "answer.txt")
	require.NoError(t, os.WriteFile(file, []byte("네"), 0o600))
	w, got := answering(t)
	for _, text := range []string{file, "@" + file, "< " + file, filepath.Dir(file), " " + file + " "} {
		require.Contains(t, w.runs(cli.ExitFailed, "answer", "Q-1", text), "- < "+filepath.Clean(strings.Trim(text, "@< ")))
	}
	require.Empty(t, got())
	w.runs(cli.ExitDone, "answer", "Q-1", file+"를 보세요")
	require.Len(t, got(), 1)
}
