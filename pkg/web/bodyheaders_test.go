package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The refusal of a body shows what was sent, of a long header its beginning, and nothing that is no text.
func TestBody_refusalShowsWhatWasSent(t *testing.T) {
	t.Parallel()
	s := serveShipment(t)
	for _, one := range []struct{ header, value, member, shown string }{
		{"Content-Type", "text/plain", "content_type", "text/plain"},
		{"Content-Type", " text/plain;  charset=utf-8 ", "content_type", "text/plain;  charset=utf-8"},
		{"Content-Type", "application/json; charset=euc-kr", "content_type", "application/json; charset=euc-kr"},
		{"Content-Type", strings.Repeat("x", 100), "content_type", strings.Repeat("x", 100)},
		{"Content-Type", strings.Repeat("x", 5000), "content_type", strings.Repeat("x", 100)},
		{"Content-Type", strings.Repeat("가", 5000), "content_type", strings.Repeat("가", 100)},
		{"Content-Type", strings.Repeat("\xff", 5000), "content_type", strings.Repeat("\uFFFD", 100)},
		{"Content-Type", "a\tb", "content_type", "a\uFFFDb"},
		{"Content-Type", "%s%d", "content_type", "%s%d"},
		{"Content-Encoding", "gzip", "content_encoding", "gzip"},
		{"Content-Encoding", "gzip, identity", "content_encoding", "gzip, identity"},
	} {
		for language, says := range map[string]string{"en": " It was sent with %s: %s", "ko": " 보낸 헤더는 %s: %s"} {
			a := s.post("/thing", goodShipment, one.header, one.value, "Accept-Language", language)
			requireFailure(t, a, 415, "")
			require.Equal(t, one.shown, a.Meta.ErrorData[one.member], one.value)
			require.True(t, strings.HasSuffix(a.Meta.Message, fmt.Sprintf(says, one.header, one.shown)), a.Meta.Message)
		}
	}
}
