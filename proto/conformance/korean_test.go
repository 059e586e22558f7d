package conformance_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/openapi"
)

var (
	hangul = regexp.MustCompile(`\p{Hangul}`)
	// english matches what only a sentence in English has.
	english = regexp.MustCompile(`\b[a-z]+ [a-z]+ [a-z]+\b`)
	// quoted matches names and values of the API in a text, which every translation must keep.
	quoted = regexp.MustCompile("`[^`]+`")
	number = regexp.MustCompile(`\d+(,\d{3})*`)
	row    = regexp.MustCompile(`(?m)^\|`)
)

func requireTranslated(t *testing.T, name, original, korean string) {
	t.Helper()
	require.Regexp(t, hangul, korean, name)
	require.ElementsMatch(t, distinct(quoted, original), distinct(quoted, korean), name)
	require.Len(t, row.FindAllString(korean, -1), len(row.FindAllString(original, -1)), name)
	original, korean = quoted.ReplaceAllString(original, ""), quoted.ReplaceAllString(korean, "")
	require.NotRegexp(t, english, korean, name)
	require.Subset(t, distinct(number, korean), distinct(number, original), name)
}

func distinct(pattern *regexp.Regexp, text string) []string {
	return slices.Compact(slices.Sorted(slices.Values(pattern.FindAllString(text, -1))))
}

// Every text of the document is in Korean, with the same names, values and numbers as in English: of operations, parameters,
// fields, responses, examples and whatever else has one.
func TestKorean_everyTextTranslated(t *testing.T) {
	t.Parallel()
	original, korean := texts(members(t, openapi.JSON())), texts(members(t, openapi.Korean()))
	require.Greater(t, len(original), 300, "the document has this many texts and more")
	require.ElementsMatch(t, keys(original), keys(korean))
	for path, text := range original {
		requireTranslated(t, path, text, korean[path])
	}
}

// texts returns the texts for people of a document by their paths, except for its title, which is a name.
func texts(document any) map[string]string {
	found := map[string]string{}
	collect(document, "", found)
	delete(found, "/info/title")
	return found
}

// collect adds the texts for people in a part of the document. Examples and values are data, in whatever language; among
// properties, the same words are names.
func collect(value any, path string, found map[string]string) {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			text, isText := member.(string)
			switch {
			case isText && (name == "summary" || name == "description" || name == "title"):
				found[path+"/"+name] = text
			case slices.Contains([]string{"value", "example", "default", "const"}, name) && !strings.HasSuffix(path, "/properties"):
			default:
				collect(member, path+"/"+name, found)
			}
		}
	case []any:
		for i, member := range value {
			collect(member, path+"/"+strconv.Itoa(i), found)
		}
	}
}

// Tags have Korean names for readers, and keep those that operations refer to. Every guide is linked in Korean.
func TestKorean_tagsAndGuides(t *testing.T) {
	t.Parallel()
	document, err := openapi3.NewLoader().LoadFromData(openapi.Korean().Bytes())
	require.NoError(t, err)
	require.NoError(t, document.Validate(t.Context(), openapi3.EnableMultiError()))
	for i, tag := range parsed(t).Tags {
		require.Equal(t, tag.Name, document.Tags[i].Name)
		require.Regexp(t, hangul, document.Tags[i].Extensions["x-displayName"], tag.Name)
	}
	text, link := string(openapi.Korean().Bytes()), `"externalDocs":{"url":"/docs/`
	require.Equal(t, strings.Count(text, link), strings.Count(text, link+"ko/"))
}

// The translation differs in its texts, but not in its interface.
func TestKorean_sameInterface(t *testing.T) {
	t.Parallel()
	require.Equal(t, withoutTexts(members(t, openapi.JSON())), withoutTexts(members(t, openapi.Korean())))
}

func withoutTexts(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			text, isText := member.(string)
			switch {
			case isText && (name == "summary" || name == "description" || name == "x-displayName" || name == "message"):
				delete(value, name)
			case isText && name == "url":
				value[name] = regexp.MustCompile(`/docs/(ko/)?`).ReplaceAllString(text, "/docs/")
			default:
				value[name] = withoutTexts(member)
			}
		}
	case []any:
		for i := range value {
			value[i] = withoutTexts(value[i])
		}
	}
	return value
}
