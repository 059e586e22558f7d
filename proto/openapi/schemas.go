package openapi

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Schema is one named schema of the document, for those who search for a field.
type Schema struct {
	// Name is its name among the components, such as OrderItem.
	Name string
	// Description says what it is; empty for one that its properties describe.
	Description string
	// Properties are its own properties, in the order of the document.
	Properties []Property
}

// Property is a property of a schema.
type Property struct{ Name, Description string }

// Schemas returns the named schemas in the order of the document.
func Schemas() ([]Schema, error) { return schemasOf(source()) }

// KoreanSchemas returns the same schemas with Korean descriptions.
func KoreanSchemas() ([]Schema, error) { return schemasOf(Korean().text) }

func schemasOf(text []byte) ([]Schema, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	var list []Schema
	for name, described := range members(member(member(root.Content[0], "components"), "schemas")) {
		schema := Schema{Name: name, Description: descriptionOf(described)}
		for property, of := range members(member(described, "properties")) {
			schema.Properties = append(schema.Properties, Property{Name: property, Description: descriptionOf(of)})
		}
		list = append(list, schema)
	}
	return list, nil
}

func descriptionOf(node *yaml.Node) string {
	text := member(node, "description")
	if text == nil {
		return ""
	}
	return strings.Join(strings.Fields(text.Value), " ")
}
