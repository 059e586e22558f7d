package idempotency_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/services/gateway/internal/idempotency"
)

func TestKeyHeaderRules(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		values []string
		want   error
	}{
		"missing":                     {nil, apierr.IdempotencyKeyRequired},
		"empty":                       {[]string{""}, apierr.IdempotencyKeyRequired},
		"blanks":                      {[]string{" \t "}, apierr.IdempotencyKeyRequired},
		"ideographic space":           {[]string{"\u3000"}, apierr.IdempotencyKeyRequired},
		"Hangul fillers":              {[]string{"\u3164\uFFA0\u115F\u1160"}, apierr.IdempotencyKeyRequired},
		"zero width":                  {[]string{"\u200B\uFEFF"}, apierr.IdempotencyKeyRequired},
		"sent twice":                  {[]string{"a", "a"}, apierr.IdempotencyKeyRequired},
		"one character":               {[]string{"a"}, nil},
		"200 characters":              {[]string{strings.Repeat("가", 200)}, nil},
		"201 characters":              {[]string{strings.Repeat("a", 201)}, apierr.IdempotencyKeyTooLong},
		"blank with one visible char": {[]string{"\u3164x"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			header := http.Header{}
			for _, value := range test.values {
				header.Add(idempotency.Header, value)
			}
			_, err := idempotency.ParseKey(header)
			require.ErrorIs(t, err, test.want)
		})
	}
}

// Idempotency keys are compared byte by byte, without folding of case, spaces or Unicode forms.
func TestKey_comparedByteByByte(t *testing.T) {
	t.Parallel()
	digest := func(text string) inbox.Digest {
		d, err := idempotency.ParseKey(http.Header{idempotency.Header: {text}})
		require.NoError(t, err)
		return d
	}
	first, again := digest("order-1"), digest("order-1")
	require.Equal(t, first, again)
	require.NotEqual(t, digest("order-1"), digest("Order-1"))
	require.NotEqual(t, digest("order-1"), digest("order-1 "))
	require.NotEqual(t, digest("\u00e9"), digest("e\u0301"))
}

func shipment(orderNo string) idempotency.Routed {
	return idempotency.Routed{Method: http.MethodPost, Template: "/open/v1/orders/:order_no/shipment", Values: []string{orderNo}}
}
