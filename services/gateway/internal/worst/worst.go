// Package worst generates the request bodies that are most expensive to parse, for tests and measurements.
package worst

import (
	"strconv"
	"strings"
)

// Body is a text with a description of its cost.
type Body struct {
	Name string
	Text []byte
}

type pattern struct {
	name, before string
	element      func(i int) string
	after        string
}

// patterns are expensive for different reasons: the number of values, depth, string length, an error only at the end.
var patterns = []pattern{
	{"tiny members", `{"":0`, member, "}"},
	{"tiny numbers", "[1", same(",1"), "]"},
	{"tiny arrays", "[0", same(",[]"), "]"},
	{"tiny objects", "[0", same(`,{"":0}`), "]"},
	{"tiny strings", "[0", same(`,""`), "]"},
	{"long numbers", "[0", same(",-123456789012345678901234567890.5e-10"), "]"},
	{"one number", "1", same("0"), ""},
	{"escapes", `"`, same(`\n`), `"`},
	{"long escapes", `"`, same(`\u0061`), `"`},
	{"pairs", `"`, same(`\ud83d\ude00`), `"`},
	{"escaped strings", "[0", same(`,"\u0061"`), "]"},
	{"most tokens, escaped", `{"items":[0`, same(`,"\u0061\u0061\u0061"`), "]}"},
	{"far letters", `"`, same("가"), `"`},
	{"white space", "[", same(" "), "]"},
	{"deep arrays", "", same("["), ""},
	{"deep objects", "", same(`{"a":`), ""},
	{"nested", "[0", same("," + strings.Repeat(`{"a":[`, 4000) + strings.Repeat("]}", 4000)), "]"},
	{"one name, often", `{"a":0`, same(`,"a":0`), "}"},
	{"a name twice at the end", `{"":0`, member, `,"z":1,"z":2}`},
	{"broken at the end", `{"":0`, member, `,"z":}`},
	{"no UTF-8 at the end", "[0", same(`,""`), ",\"\xff\"]"},
	{"batch entries", `{"items":[0`, same(`,{"order_no":"1","item_ids":["0190b6f4-7c1e-7a0b-9d51-000000000000"]}`), "]}"},
}

// member returns a member with the shortest possible name that is unique.
func member(i int) string { return `,"` + strconv.FormatInt(int64(i), 36) + `":1` }

func same(text string) func(int) string { return func(int) string { return text } }

// Bodies returns bodies of slightly more than the given size.
func Bodies(size int) []Body {
	bodies := make([]Body, 0, len(patterns))
	for _, p := range patterns {
		var text strings.Builder
		text.WriteString(p.before)
		for i := 0; text.Len() < size; i++ {
			text.WriteString(p.element(i))
		}
		text.WriteString(p.after)
		bodies = append(bodies, Body{p.name, []byte(text.String())})
	}
	return bodies
}
