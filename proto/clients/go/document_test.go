//go:build go1.24

package sellerapi_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

type schema struct {
	Ref        string            `yaml:"$ref"`
	Type       any               `yaml:"type"`
	Format     string            `yaml:"format"`
	Enum       []any             `yaml:"enum"`
	Open       []string          `yaml:"x-extensible-enum"`
	Required   []string          `yaml:"required"`
	Properties map[string]schema `yaml:"properties"`
	Items      *schema           `yaml:"items"`
	OneOf      []schema          `yaml:"oneOf"`
}

type parameter struct {
	Ref    string `yaml:"$ref"`
	Name   string `yaml:"name"`
	In     string `yaml:"in"`
	Schema schema `yaml:"schema"`
}

type media struct {
	Content map[string]struct {
		Schema schema `yaml:"schema"`
	} `yaml:"content"`
}

type described struct {
	OperationID string      `yaml:"operationId"`
	Tags        []string    `yaml:"tags"`
	Parameters  []parameter `yaml:"parameters"`
	RequestBody *media      `yaml:"requestBody"`
	Responses   map[string]struct {
		Ref string `yaml:"$ref"`
	} `yaml:"responses"`
}

type document struct {
	Paths map[string]struct {
		Get, Post *described
	} `yaml:"paths"`
	Components struct {
		Parameters map[string]parameter `yaml:"parameters"`
		Responses  map[string]media     `yaml:"responses"`
		Schemas    map[string]schema    `yaml:"schemas"`
	} `yaml:"components"`
}

func description(t *testing.T) document {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "openapi", "seller-open-api.yaml"))
	require.NoError(t, err)
	var d document
	require.NoError(t, yaml.Unmarshal(text, &d))
	return d
}

// operations calls fn for every operation that requires a key.
func (d document) operations(fn func(method, path string, operation described)) {
	for path, item := range d.Paths {
		for method, operation := range map[string]*described{"GET": item.Get, "POST": item.Post} {
			if operation != nil && !slices.Contains(operation.Tags, "Description") {
				fn(method, path, *operation)
			}
		}
	}
}

func (d document) resolve(s schema) (string, schema) {
	if s.Ref == "" {
		return "", s
	}
	name := last(s.Ref)
	return name, d.Components.Schemas[name]
}

func (s schema) values() []string {
	all := slices.Clone(s.Open)
	for _, value := range s.Enum {
		if text, isText := value.(string); isText {
			all = append(all, text)
		}
	}
	return all
}

func (s schema) kind() (string, bool) {
	switch of := s.Type.(type) {
	case string:
		return of, false
	case []any:
		kind, _ := of[0].(string)
		return kind, slices.Contains(of, any("null"))
	}
	return "", false
}

func last(ref string) string { return ref[strings.LastIndex(ref, "/")+1:] }
