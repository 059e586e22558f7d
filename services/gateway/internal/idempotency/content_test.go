package idempotency

import (
	"encoding/json"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/gateway/internal/worst"
)

// texts draws JSON values in any encoding, and sometimes something malformed.
func texts(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		space := rapid.SampledFrom([]string{"", "", " ", "\n\t"}).Draw(t, "space")
		kind := rapid.IntRange(0, 4).Draw(t, "kind")
		if depth == 0 {
			kind = min(kind, 2)
		}
		count := 0
		if kind > 2 {
			count = rapid.IntRange(0, 3).Draw(t, "count")
		}
		parts := make([]string, count)
		for i := range parts {
			parts[i] = texts(depth-1).Draw(t, "part")
			if kind == 4 {
				parts[i] = quotedTexts.Draw(t, "name") + space + ":" + parts[i]
			}
		}
		switch kind {
		case 3:
			return space + "[" + strings.Join(parts, ",") + "]"
		case 4:
			return "{" + strings.Join(parts, space+",") + "}" + space
		case 2:
			return quotedTexts.Draw(t, "string")
		default:
			return rapid.SampledFrom([]string{
				"1", "1.0", "-0", "10", "1e5", "1E+5", "true", "null", "false", "01", "tru", "1.", "-",
				"",
			}).Draw(t, "scalar")
		}
	})
}

var quotedTexts = rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{
	"a", "b", `\u0061`, `\u0062`, "é", `\u00E9`, `\u00e9`, "/", `\/`, `\n`, `\u000a`, `\\`, `\"`, "😀", `\ud83d\ude00`, `\ud83d`,
	"\xff", "\n", `\x`, `\u12`,
}), 0, 2), func(chars []string) string { return `"` + strings.Join(chars, "") + `"` })

// The digests of two texts are equal where encoding/json, which knows nothing of canonical forms, reads the same value.
func TestContent_agreesWithDecodedValue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		agree(t, texts(3).Draw(t, "one"), texts(3).Draw(t, "other"))
	})
}

// agree compares two texts in both ways. A text with a duplicate member name is accepted by no service, and is left out.
func agree(t require.TestingT, one, other string) {
	for _, text := range []string{one, other} {
		_, ok := contentOf([]byte(text))
		require.Equal(t, jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true)), ok, text)
	}
	if jsontext.Value(one).IsValid() && jsontext.Value(other).IsValid() {
		oneDigest, _ := contentOf([]byte(one))
		otherDigest, _ := contentOf([]byte(other))
		require.Equal(t, reflect.DeepEqual(decoded(t, one), decoded(t, other)), oneDigest == otherDigest, "%s\n%s", one, other)
	}
}

// decoded returns the value of a JSON text, with its numbers as they are written.
func decoded(t require.TestingT, text string) (value any) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&value))
	return value
}

func TestContent_oneDigestForAllSpellings(t *testing.T) {
	t.Parallel()
	agree(t, `{"a":1,"b":[{"c":2,"d":"x"},null]}`, ` { "b" : [ {"\u0064":"\u0078" , "c":2},null ],"a":1 } `)
	agree(t, `{"a":{"b":1},"c":2}`, `{"a":{"c":2},"b":1}`)
	agree(t, `{"a":1,"b":2}`, `{"a":2,"b":1}`)
	agree(t, `[[],{}]`, `[{},[]]`)
	agree(t, `[[1],2]`, `[[1,2]]`)
	agree(t, `"1"`, `1`)
	agree(t, `[]`, `[[]]`)
	agree(t, `"\ud83d\ude00"`, `"😀"`)
}

// FuzzContent compares both ways on arbitrary input.
func FuzzContent(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,2.5e-3,"\u0061",true]}`, `[`, `"\ud83d"`, `{"a":1,"a":2}`, "\"\x00\"",
		`[1,]`, `-`, `1 2`,
	} {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, one, other string) { agree(t, one, other) })
}

// The memory for reading a text is a small multiple of its length, whatever it holds.
func TestContent_memory(t *testing.T) { //nolint:paralleltest // what other tests allocate would count
	for _, body := range worst.Bodies(4 << 20) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		contentOf(body.Text)
		runtime.ReadMemStats(&after)
		require.LessOrEqual(t, after.TotalAlloc-before.TotalAlloc, uint64(8*len(body.Text)), body.Name)
	}
}

// A text with as many tokens as services accept is compared by its content, one with more is not read to its end.
func TestContent_mostTokens(t *testing.T) {
	t.Parallel()
	list := func(tokens int) []byte { return []byte("[" + strings.Repeat("1,", tokens-3) + "1]") }
	_, ok := contentOf(list(operation.BodyTokens))
	require.True(t, ok)
	_, ok = contentOf(list(operation.BodyTokens + 1))
	require.False(t, ok)
}
