package idempotency

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// inPlace is what jsontext makes of a value, which records were made with.
func inPlace(t require.TestingT, body string) string {
	value := jsontext.Value(body)
	require.NoError(t, value.Format(jsontext.ReorderRawObjects(true), jsontext.SpaceAfterComma(false)), body)
	return string(value)
}

// names of members; those with an escape, and the characters whose order in UTF-16 is not that of their bytes, among them.
var names = []string{``, `a`, `b`, `ab`, `a b`, `\u0061a`, `\"`, `\\`, `\n`, `é`, `가`, `\ue000`, `\uffff`, `\ud83d\ude00`, `😁`, `a😀`, `a豈`, `aé`}

// drawValue draws the text of a JSON value.
func drawValue(t *rapid.T, depth int) string {
	space := rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(t, "space")
	kinds := []string{"null", "-0", "1e400", "12", `"x"`, `"\u00e9\/"`, `",{}[]:\""`}
	if depth > 0 && rapid.Bool().Draw(t, "compound") {
		kinds = []string{"[", "{", "{", "{"}
	}
	switch kind := rapid.SampledFrom(kinds).Draw(t, "kind"); kind {
	case "[":
		values := make([]string, rapid.IntRange(0, 3).Draw(t, "length"))
		for i := range values {
			values[i] = drawValue(t, depth-1)
		}
		return "[" + space + strings.Join(values, ","+space) + "]"
	case "{":
		members := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 5, rapid.ID).Draw(t, "names")
		for i, name := range members {
			members[i] = fmt.Sprintf(`"%s"%s:%s`, name, space, drawValue(t, depth-1))
		}
		return "{" + strings.Join(members, space+",") + space + "}"
	default:
		return space + kind
	}
}

func TestTheCanonicalFormIsTheOneThatRecordsWereMadeWith(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		body := drawValue(t, 5)
		require.Equal(t, inPlace(t, body), string(canonical([]byte(body))), body)
		compact := jsontext.Value(body)
		require.NoError(t, compact.Format(jsontext.SpaceAfterComma(false)))
		require.Equal(t, inPlace(t, body), string(sorted(compact)), body)
		deep := strings.Repeat(`{"b":`, shallow) + body + strings.Repeat(`,"a":1}`, shallow)
		require.Equal(t, inPlace(t, deep), string(canonical([]byte(deep))), deep)
	})
}

func TestWhatIsNoJSONStaysWhatItIs(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", " ", `{"b":1,"a":2`, `{"a":1,"a":1}`, `{"a":1,"\u0061":1}`, "\"\xff\"", `"\ud800"`, `{"b":1, "a":2} x`} {
		require.Equal(t, body, string(canonical([]byte(body))))
	}
}

// A call is not counted before its fingerprint is known, so a body that is costly to compare would cost those who are not
// even admitted nothing, and everybody else the gateway.
func TestADeeplyNestedBodyCostsWhatAFlatOneDoes(t *testing.T) {
	t.Parallel()
	const depth, size = 9_000, 1 << 20
	text := strings.Repeat("x", size-depth*len(`{"b":,"a":1}`))
	deep := []byte(strings.Repeat(`{"b":`, depth) + `"` + text + `"` + strings.Repeat(`,"a":1}`, depth))
	flat := []byte(`{"b":"` + text + `","a":[` + strings.Repeat(`{"b":1,"a":2},`, depth) + `0]}`)
	require.Len(t, canonical(deep), len(deep))
	require.True(t, bytes.HasPrefix(canonical(deep), []byte(`{"a":1,"b":{"a":1,"b":`)))
	require.Less(t, quickest(deep), 8*quickest(flat))
}

// quickest is the least time in which a body was brought into its canonical form.
func quickest(body []byte) time.Duration {
	least := time.Hour
	for range 5 {
		began := time.Now()
		canonical(body)
		least = min(least, time.Since(began))
	}
	return least
}
