package conformance_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/proto/openapi"
)

// Every property says what it is, itself or by the schema that it refers to, in both languages.
func TestProperties_everyOneIsDescribed(t *testing.T) {
	t.Parallel()
	for language, document := range map[string]openapi.Document{"en": openapi.JSON(), "ko": openapi.Korean()} {
		root, _ := members(t, document).(map[string]any)
		components, _ := root["components"].(map[string]any)
		schemas, _ := components["schemas"].(map[string]any)
		seen := 0
		requireDescribed(t, language, "", components, schemas, &seen)
		require.Greater(t, seen, 200)
	}
}

// requireDescribed checks the properties in a part of a document, and counts them. Conditions repeat properties that are
// described.
func requireDescribed(t *testing.T, language, path string, value any, schemas map[string]any, seen *int) {
	t.Helper()
	schema, isObject := value.(map[string]any)
	if !isObject {
		return
	}
	properties, _ := schema["properties"].(map[string]any)
	for name, property := range properties {
		*seen++
		described, _ := property.(map[string]any)
		if reference, refers := described["$ref"].(string); refers && described["description"] == nil {
			described, _ = schemas[reference[strings.LastIndex(reference, "/")+1:]].(map[string]any)
		}
		text, _ := described["description"].(string)
		require.NotEmpty(t, text, "%s: %s/%s", language, path, name)
		requireDescribed(t, language, path+"/"+name, property, schemas, seen)
	}
	for name, member := range schema {
		switch name {
		case "properties", "if", "then", "else", "examples", "example":
		default:
			requireDescribed(t, language, path+"/"+name, member, schemas, seen)
		}
	}
}
