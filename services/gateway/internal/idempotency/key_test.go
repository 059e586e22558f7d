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

// The same content has one fingerprint however its JSON is written; any other content has another.
func TestFingerprint_sameContent(t *testing.T) {
	t.Parallel()
	of := func(body string) inbox.Fingerprint {
		return idempotency.NewFingerprint(shipment("1"), []byte(body))
	}
	base := of(`{"item_ids":["a","b"],"tracking_no":"1"}`)
	require.Equal(t, base, of("{ \"tracking_no\" : \"1\",\n \"item_ids\":[\"a\", \"b\"] }"), "order and white space")
	require.Equal(t, base, of(`{"item_ids":["\u0061","b"],"tracking_no":"1"}`), "escapes")
	for _, other := range []string{
		`{"item_ids":["b","a"],"tracking_no":"1"}`,
		`{"item_ids":["a","b"],"tracking_no":1}`,
		`{"item_ids":["a","b"],"tracking_no":"1","memo":null}`,
		`{"item_ids":["a","b"],"tracking_no":"2"}`,
		`{"n":9007199254740993}`, `{"n":9007199254740992}`,
		``, `{`, `{"a":1,"a":1}`,
	} {
		require.NotEqual(t, base, of(other), other)
	}
	require.NotEqual(t, of(`{"n":9007199254740993}`), of(`{"n":9007199254740992}`), "large integers keep their value")
	require.NotEqual(t, base, idempotency.NewFingerprint(shipment("2"), []byte(`{"item_ids":["a","b"],"tracking_no":"1"}`)))
}
