package e2e

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	published "sellerapi.dev/proto/openapi/guides"
	"sellerapi.dev/services/e2e/stacktest"
)

// normalizer replaces the identifiers of a run with those of the examples, and every occurrence of one with the same
// example.
type normalizer struct{ seen map[string]string }

// identifiers are new in each run; the example is counted up at its last character for each further one.
var identifiers = []struct {
	made  *regexp.Regexp
	shown string
}{
	{regexp.MustCompile(`\bT[0-9A-F]{32}\b`), "20260314-0001842"},
	{regexp.MustCompile(`\bC[0-9A-F]{32}\b`), "C20260320-0000417"},
	{regexp.MustCompile(`\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`), "0195923e-8c11-7b3a-9f02-51d3c0a7e4b1"},
}

// others also differ between runs; each is always replaced by the same example.
var others = []struct {
	made  *regexp.Regexp
	shown string
}{
	{regexp.MustCompile(`"request_id":"[^"]*"`), `"request_id":"@request"`},
	{regexp.MustCompile(`/qna/[0-9a-f-]{36}`), "/qna/@inquiry"},
	{regexp.MustCompile(`vpk_test_[0-9A-Za-z_-]{20,}`), "vpk_test_…"},
	{regexp.MustCompile(`"retry_after":\d+`), `"retry_after":17`},
	{regexp.MustCompile(`\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z`), "2026-03-20T05:12:09.482913Z"},
	{regexp.MustCompile(`(?:가){1000,}`), "가가가… (1 MiB)"},
}

// placed are the examples of identifiers that are recognized by their position.
var placed = strings.NewReplacer("@request", "0195a2d7-5c04-7e1b-9a60-f3c8b2d71e95", "@inquiry",
	"0195a2e4-7d10-7c55-8f3b-2b9e4c6a1d07",
	"@key", "5f0c6a52-8f7e-4d0e-9d0b-3f3a1f2b7c11")

func (n *normalizer) text(text string) string {
	for _, one := range others {
		text = one.made.ReplaceAllLiteralString(text, one.shown)
	}
	for _, one := range identifiers {
		text = one.made.ReplaceAllStringFunc(text, func(made string) string { return n.identifier(made, one.shown) })
	}
	return placed.Replace(text)
}

func (n *normalizer) identifier(made, example string) string {
	if shown, seen := n.seen[made]; seen {
		return shown
	}
	if n.seen == nil {
		n.seen = map[string]string{}
	}
	stem, last := example[:len(example)-1], example[len(example)-1]
	for _, shown := range n.seen {
		if strings.HasPrefix(shown, stem) {
			last++
		}
	}
	n.seen[made] = stem + string(last)
	return n.seen[made]
}

// json returns a body of the run as it appears in an example: a JSON string if it is not valid JSON, nil if it is
// empty.
func (n *normalizer) json(t *testing.T, body string) json.RawMessage {
	t.Helper()
	if body == "" {
		return nil
	}
	text := []byte(n.text(body))
	if !json.Valid(text) {
		var err error
		text, err = json.Marshal(string(text))
		require.NoError(t, err)
	}
	return text
}

// failure returns the request of a call as an example, without its response.
func (n *normalizer) failure(t *testing.T, row apierr.Row, call stacktest.Call) published.Failure {
	t.Helper()
	failure := published.Failure{
		Code: row.Code.Page(), Method: call.Method, Path: n.text(call.Path), Headers: n.headers(call),
		Body: n.json(t, string(call.Body)), Status: row.Status, Answer: map[string]json.RawMessage{},
	}
	if failure.Method == "" {
		failure.Method = http.MethodGet
	}
	return failure
}

func (n *normalizer) headers(call stacktest.Call) []string {
	sent := call.Header.Clone()
	if sent == nil {
		sent = http.Header{}
	}
	if call.Key != "" {
		sent.Set("X-Api-Key", n.text(call.Key))
	}
	if _, err := uuid.Parse(sent.Get("Idempotency-Key")); err == nil {
		sent.Set("Idempotency-Key", "@key")
	}
	if call.Body != nil && sent.Get("Content-Type") == "" {
		sent.Set("Content-Type", "application/json")
	}
	lines := []string{}
	for _, name := range []string{"X-Api-Key", "Authorization", "Idempotency-Key", "Content-Type"} {
		if value := sent.Get(name); value != "" {
			lines = append(lines, name+": "+n.text(value))
		}
	}
	return lines
}
