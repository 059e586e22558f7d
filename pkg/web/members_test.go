package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
)

func object(members, valueBytes int) string {
	var text strings.Builder
	for n := range members {
		_, _ = fmt.Fprintf(&text, `,"%d":"%s"`, n, strings.Repeat("x", valueBytes))
	}
	return "{" + text.String()[1:] + "}"
}

// A large body is refused for the members of an object, which are kept in memory, and for its tokens, which cost time; never
// one that is large for other reasons, nor a small one.
func TestValidate_large(t *testing.T) {
	t.Parallel()
	const around = 5 // the tokens of {"a":[]}
	for name, c := range map[string]struct {
		body string
		want error
	}{
		"most members of an object":    {object(maxMembers, 300), nil},
		"one member too many":          {object(maxMembers+1, 300), errMembers},
		"nested, one member too many":  {`{"items":[{"a":` + object(maxMembers+1, 300) + `}]}`, errMembers},
		"many small objects":           {`{"items":[` + strings.Repeat(`{"a":1,"b":2},`, 30_000) + `{}]}`, nil},
		"small, many members":          {object(maxMembers+1, 1), nil},
		"most tokens":                  {`{"a":[` + strings.Repeat(`1,`, operation.BodyTokens-around-1) + `1]}`, nil},
		"one token too many":           {`{"a":[` + strings.Repeat(`1,`, operation.BodyTokens-around) + `1]}`, errTokens},
		"many tokens in a small body":  {`{"a":[` + strings.Repeat(`1,`, usualBody/2-10) + `1]}`, nil},
		"data after a large object":    {object(maxMembers, 300) + "1", errTrailing},
		"white space after the object": {object(maxMembers, 300) + " \r\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.ErrorIs(t, validate([]byte(c.body)), c.want)
			read := &sink{}
			parseBody([]byte(c.body), read)
			require.Equal(t, c.want != nil, read.Err() != nil)
		})
	}
}

// A large body is described like a small one with the same mistake.
func TestValidate_largeAndSmallAgree(t *testing.T) {
	t.Parallel()
	for name, mistake := range map[string]string{
		"ends early":      `{"x":[1,2`,
		"not JSON":        `{"x":[1,,2]}`,
		"duplicate name":  `{"x":1,"y":{"z":1,"z":2}}`,
		"no name":         `{1:2}`,
		"trailing comma":  `{"x":1,}`,
		"wrong bracket":   `{"x":[1}]`,
		"broken string":   `{"x":"\x"}`,
		"unpaired escape": `{"x":"\ud83d"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const lead = `{"lead":"`
			padded := func(bytes int) string {
				return lead + strings.Repeat("x", bytes) + `",` + strings.TrimPrefix(mistake, "{")
			}
			small, large := validate([]byte(padded(usualBody/2))), validate([]byte(padded(usualBody)))
			require.Error(t, small)
			require.Error(t, large)
			one, other := describe(small), describe(large)
			// The places differ by as many bytes as the bodies do.
			require.Equal(t, []string{one.Field, one.Code}, []string{other.Field, other.Code})
		})
	}
}
