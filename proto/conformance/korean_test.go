package conformance_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/openapi"
)

// inKorean returns the contract as Korean readers get it.
func inKorean(t *testing.T) *openapi3.T {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData(openapi.Korean().Bytes())
	require.NoError(t, err)
	require.NoError(t, document.Validate(t.Context(), openapi3.EnableMultiError()))
	return document
}

var (
	hangul = regexp.MustCompile(`\p{Hangul}`)
	// quoted matches names and values of the API in a text, which every translation must keep.
	quoted = regexp.MustCompile("`[^`]+`")
)

// requireTranslated compares a text with its translation.
func requireTranslated(t *testing.T, name, english, korean string) {
	t.Helper()
	require.Regexp(t, hangul, korean, name)
	require.ElementsMatch(t, distinct(english), distinct(korean), name)
}

// distinct returns the quoted names of a text, each once.
func distinct(text string) []string {
	return slices.Compact(slices.Sorted(slices.Values(quoted.FindAllString(text, -1))))
}

// Every operation, tag and parameter is described in Korean, with the same names and values as in English.
func TestKorean_everyTextTranslated(t *testing.T) {
	t.Parallel()
	english, korean := parsed(t), inKorean(t)
	for path, item := range english.Paths.Map() {
		for method, operation := range item.Operations() {
			name, other := operation.OperationID, korean.Paths.Value(path).GetOperation(method)
			requireTranslated(t, name, operation.Summary, other.Summary)
			requireTranslated(t, name, operation.Description, other.Description)
			require.Regexp(t, hangul, other.ExternalDocs.Description, name)
			require.Contains(t, other.ExternalDocs.URL, "/docs/ko/", name)
		}
	}
	for i, tag := range english.Tags {
		other := korean.Tags[i]
		require.Equal(t, tag.Name, other.Name, "operations refer to the name")
		require.Regexp(t, hangul, other.Extensions["x-displayName"], tag.Name)
		requireTranslated(t, tag.Name, tag.Description, other.Description)
		require.Regexp(t, hangul, other.ExternalDocs.Description, tag.Name)
	}
	for name, parameter := range english.Components.Parameters {
		requireTranslated(t, name, parameter.Value.Description, korean.Components.Parameters[name].Value.Description)
	}
	require.Regexp(t, hangul, korean.Info.Summary)
	require.Contains(t, korean.Info.Description, english.Info.Description)
}

// The translation differs in its texts, but not in its interface.
func TestKorean_sameInterface(t *testing.T) {
	t.Parallel()
	require.Equal(t, withoutTexts(members(t, openapi.JSON())), withoutTexts(members(t, openapi.Korean())))
}

// withoutTexts removes the texts that are for people only.
func withoutTexts(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			text, isText := member.(string)
			switch {
			case isText && (name == "summary" || name == "description" || name == "x-displayName"):
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
