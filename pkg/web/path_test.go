package web_test

import (
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/web"
)

func orderByPath(e *gin.Engine) {
	e.GET("/orders/:order_no", web.Handle(func(c *gin.Context) (any, error) {
		value, ok := web.PathValue(c, "order_no")
		if !ok {
			return nil, apierr.OrderNotFound
		}
		return value, nil
	}))
}

// A value in a path is decoded exactly once.
func TestPathValue_decodedOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, orderByPath)
	for sent, want := range map[string]string{
		"20260304-000001":       "20260304-000001",
		"a%2Fb":                 "a/b",
		"a+b":                   "a+b",
		"a%2Bb":                 "a+b",
		"a%20b":                 "a b",
		"%2541":                 "%41",
		"%EC%A3%BC%EB%AC%B8":    "주문",
		strings.Repeat("가", 64): strings.Repeat("가", 64),
		"..":                    "..",
		"%2e%2e%2fclaims%2f1":   "../claims/1",
		"a;b":                   "a;b",
	} {
		a := s.get("/orders/" + sent)
		require.Equal(t, 200, a.Status, sent)
		require.JSONEq(t, `"`+want+`"`, string(a.Data))
	}
}

// PostgreSQL refuses NUL and broken UTF-8 with an error of its own, which would
// be a 500.
func TestPathValue_impossibleIsNotFound(t *testing.T) {
	t.Parallel()
	s := serve(t, orderByPath)
	for _, sent := range []string{"%00", "a%00b", "%ff", "%c0%80", "%ed%a0%80", strings.Repeat("x", 65), strings.Repeat("가", 65)} {
		requireFailure(t, s.get("/orders/"+sent), 404, "ORDER_NOT_FOUND")
	}
}

// One id must not have several spellings, or the same item could stand twice in
// one request.
func TestParseUUID_oneSpellingButCase(t *testing.T) {
	t.Parallel()
	id, ok := web.ParseUUID("0197a1b2-0000-7000-8000-00000000000a")
	require.True(t, ok)
	upper, ok := web.ParseUUID("0197A1B2-0000-7000-8000-00000000000A")
	require.True(t, ok)
	require.Equal(t, id, upper)
	for _, text := range []string{
		"", "0197a1b2000070008000000000000001", "{0197a1b2-0000-7000-8000-000000000001}",
		"urn:uuid:0197a1b2-0000-7000-8000-000000000001", "0197a1b2-0000-7000-8000-00000000000g", "0197a1b200-00-7000-8000-000000000001",
		strings.Repeat("\x00", 36),
	} {
		_, ok := web.ParseUUID(text)
		require.False(t, ok, text)
	}
}
