package siege

import (
	"strconv"
	"strings"
)

// worstBodies returns JSON texts of a size, each costly to parse in its own way: by its number of values, its depth, or its
// escapes.
func worstBodies(size int) [][]byte {
	same := func(text string) func(int) string { return func(int) string { return text } }
	nested := "," + strings.Repeat(`{"a":[`, 4000) + strings.Repeat("]}", 4000)
	bodies := make([][]byte, 0, 8)
	for _, b := range []struct {
		before  string
		element func(int) string
		after   string
	}{
		{`{"":0`, func(i int) string { return `,"` + strconv.FormatInt(int64(i), 36) + `":1` }, "}"},
		{"[1", same(",1"), "]"},
		{"[0", same(",[]"), "]"},
		{"[0", same(`,{"":0}`), "]"},
		{`"`, same(`\u0061`), `"`},
		{`"`, same(`\ud83d\ude00`), `"`},
		{"[0", same(nested), "]"},
		{`{"items":[0`, same(`,{"item_id":"x"}`), "]}"},
		{`{"items":[0`, same(`,"\u0061\u0061\u0061"`), "]}"}, // has not too many tokens, so it is parsed to its end
	} {
		var text strings.Builder
		text.WriteString(b.before)
		for i := 0; text.Len()+len(b.element(i))+len(b.after) <= size; i++ {
			text.WriteString(b.element(i))
		}
		text.WriteString(b.after)
		bodies = append(bodies, []byte(text.String()))
	}
	return bodies
}
