package idempotency_test

import (
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/services/gateway/internal/idempotency"
)

func ofPath(t require.TestingT, path string) inbox.Fingerprint {
	address, err := url.ParseRequestURI(path)
	require.NoError(t, err, path)
	values := strings.Split(address.EscapedPath(), "/")[1:]
	return idempotency.NewFingerprint(idempotency.Routed{
		Method: "POST", Template: strings.Repeat("/:v", len(values)),
		Values: values,
	}, nil)
}

// resource draws the segments of a path: any bytes, most of them such that different encodings matter.
func resource(t *rapid.T, label string) []string {
	char := rapid.OneOf(rapid.SampledFrom([]byte("G1-/%.;,+!'()[]? 5F\xea\xb0\x80")), rapid.Byte())
	segment := rapid.Map(rapid.SliceOfN(char, 0, 4), func(bytes []byte) string { return string(bytes) })
	return rapid.SliceOfN(segment, 1, 3).Draw(t, label)
}

// spell encodes segments as a client may: every character that need not be escaped is escaped or not, with lower-case or
// upper-case digits.
func spell(t *rapid.T, segments []string, label string) string {
	var path strings.Builder
	for _, segment := range segments {
		path.WriteByte('/')
		for _, char := range []byte(segment) {
			free := strings.IndexByte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~!$&'()*+,;=:@[]", char) >= 0
			forms := []string{fmt.Sprintf("%%%02X", char), fmt.Sprintf("%%%02x", char)}
			if free {
				forms = append(forms, string(char))
			}
			path.WriteString(rapid.SampledFrom(forms).Draw(t, label))
		}
	}
	return path.String()
}

func TestFingerprint_oneForEachResource(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		one, other := resource(t, "one"), resource(t, "other")
		require.Equal(t, ofPath(t, spell(t, one, "first")), ofPath(t, spell(t, one, "second")))
		if !slices.Equal(one, other) {
			require.NotEqual(t, ofPath(t, spell(t, one, "one spelt")), ofPath(t, spell(t, other, "other spelt")))
		}
	})
}

// An escaped path may contain the name of another route; it is an order with that number nevertheless.
func TestFingerprint_isOfTheRoute(t *testing.T) {
	t.Parallel()
	batch := idempotency.Routed{Method: "POST", Template: "/open/v1/orders/batch/shipment"}
	require.NotEqual(t, idempotency.NewFingerprint(batch, nil), idempotency.NewFingerprint(shipment("%62atch"), nil))
	require.Equal(t, idempotency.NewFingerprint(shipment("batch"), nil), idempotency.NewFingerprint(shipment("%62atch"), nil))
}

// Records are kept without limit, with the fingerprints of their time.
func TestFingerprint_staysTheSame(t *testing.T) {
	t.Parallel()
	for want, routed := range map[string]idempotency.Routed{
		"325995656125494be3e18c0e6c181a92": shipment("G-1"),
		"417895d2a7267abd0a457316d1eedc5b": {Method: "POST", Template: "/open/v1/orders/batch/shipment"},
		"35123b4bcf3d491e37b63a41213eefcb": {
			Method: "POST", Template: "/open/v1/claims/:claim_no/approve",
			Values: []string{"a;b,c!(d)[e]'"},
		},
	} {
		fingerprint := idempotency.NewFingerprint(routed, []byte(`{"b": [1, 2], "a": "x"}`))
		require.Equal(t, want, hex.EncodeToString(fingerprint[:]), routed.Template)
	}
}

// The nesting depth of a body is the client's choice; beyond the depth that services read, it is compared by its bytes.
func TestFingerprint_memberOrderDepth(t *testing.T) {
	t.Parallel()
	within := func(depth int, innermost string) inbox.Fingerprint {
		return idempotency.NewFingerprint(shipment("1"), []byte(strings.Repeat(`{"}\"{":`, depth)+innermost+strings.Repeat("}", depth)))
	}
	const one, other = `{"a":"{{{","b":2}`, `{"b":2, "a":"{{{"}`
	require.Equal(t, within(9_999, one), within(9_999, other))
	require.NotEqual(t, within(10_000, one), within(10_000, other))
	require.NotEqual(t, within(9_999, one), within(9_999, `{"a":1,"b":2}`))
}
