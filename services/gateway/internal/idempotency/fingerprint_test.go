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

// ofPath is the fingerprint of a request on a path, as it stands in a request line.
func ofPath(t require.TestingT, path string) inbox.Fingerprint {
	address, err := url.ParseRequestURI(path)
	require.NoError(t, err, path)
	return idempotency.NewFingerprint("POST", address.EscapedPath(), nil)
}

// resource draws the segments of a path: any bytes, most of them such as tell two spellings apart.
func resource(t *rapid.T, label string) []string {
	char := rapid.OneOf(rapid.SampledFrom([]byte("G1-/%.;,+!'()[]? 5F\xea\xb0\x80")), rapid.Byte())
	segment := rapid.Map(rapid.SliceOfN(char, 0, 4), func(bytes []byte) string { return string(bytes) })
	return rapid.SliceOfN(segment, 1, 3).Draw(t, label)
}

// spell writes segments as a client may: every character that may stand for itself does or does not, in small letters or in
// capitals.
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

func TestFingerprint_similarPaths(t *testing.T) {
	t.Parallel()
	require.Equal(t, ofPath(t, "/orders/G-1/shipment"), ofPath(t, "/orders/%47%2d1/shipment"))
	require.Equal(t, ofPath(t, "/orders/%EA%B0%80"), ofPath(t, "/orders/%ea%b0%80"))
	for _, pair := range [][2]string{
		{"/orders/a/b", "/orders/a%2Fb"}, {"/orders/%2547", "/orders/%47"}, {"/orders/%2525", "/orders/%25"}, {"/orders/a", "/orders/A"},
	} {
		require.NotEqual(t, ofPath(t, pair[0]), ofPath(t, pair[1]), pair)
	}
}

// Records are kept forever, under the fingerprints of their day.
func TestFingerprintsStayWhatTheyAre(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/open/v1/orders/G-1/shipment":          "0197eca9777bcddb073d31d3373103af",
		"/open/v1/orders/batch/shipment":        "48a2e1b7ab869852069a012ce142ae50",
		"/open/v1/claims/a;b,c!(d)[e]'/approve": "cb045f5b7fa97ade8b4b11147d2be2a0",
		"/open/v1/orders/%EA%B0%80/delivery":    "c6cbfe34327c98ef9c5612125ad75dcd",
	} {
		fingerprint := idempotency.NewFingerprint("POST", path, []byte(`{"b": [1, 2], "a": "x"}`))
		require.Equal(t, want, hex.EncodeToString(fingerprint[:]), path)
	}
}

// How deep a body is nested is the client's choice, and putting members in order costs more with each object around them.
func TestFingerprint_memberOrderDepth(t *testing.T) {
	t.Parallel()
	within := func(depth int, innermost string) inbox.Fingerprint {
		return idempotency.NewFingerprint("POST", "/", []byte(strings.Repeat(`[{"}\"{":`, depth)+innermost+strings.Repeat("}]", depth)))
	}
	const one, other = `{"a":"{{{","b":2}`, `{"b":2, "a":"{{{"}`
	require.Equal(t, within(31, one), within(31, other))
	require.NotEqual(t, within(32, one), within(32, other))
	require.NotEqual(t, within(31, one), within(31, `{"a":1,"b":2}`))
}
