package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"sellerapi.dev/proto/openapi"
)

type openList struct {
	Values []string `yaml:"x-extensible-enum"`
	Names  []string `yaml:"x-enum-varnames"`
	Enum   []string `yaml:"enum"`
	Whole  struct {
		Name          string `yaml:"name"`
		ModelAsString bool   `yaml:"modelAsString"`
	} `yaml:"x-ms-enum"`
}

func openLists(t *testing.T, node *yaml.Node, at string, found map[string]openList) {
	t.Helper()
	if node.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i < len(node.Content); i += 2 {
		name := node.Content[i].Value
		switch name {
		case "x-extensible-enum":
			var list openList
			require.NoError(t, node.Decode(&list), at)
			found[at] = list
		case "properties":
			openLists(t, node.Content[i+1], at, found)
		default:
			openLists(t, node.Content[i+1], strings.TrimPrefix(at+"."+name, "."), found)
		}
	}
}

// Generated clients call an open list and its constants as ours do, and are told that it is open. A list with an enum beside it
// would make them refuse values of later versions.
func TestOpenLists_namesForGenerators(t *testing.T) {
	t.Parallel()
	var contract struct {
		Components struct {
			Schemas yaml.Node `yaml:"schemas"`
		} `yaml:"components"`
	}
	require.NoError(t, yaml.Unmarshal(openapi.YAML().Bytes(), &contract))
	found := map[string]openList{}
	openLists(t, &contract.Components.Schemas, "", found)
	require.Len(t, found, 24)
	whole := make([]string, 0, len(found))
	for at, list := range found {
		want := make([]string, 0, len(list.Values))
		for _, value := range list.Values {
			want = append(want, goName(value))
		}
		require.Equal(t, want, list.Names, at)
		require.True(t, list.Whole.ModelAsString, at)
		require.NotEmpty(t, list.Whole.Name, at)
		require.Empty(t, list.Enum, at)
		whole = append(whole, list.Whole.Name)
	}
	slices.Sort(whole)
	require.Equal(t, slices.Compact(slices.Clone(whole)), whole, "each list has a name of its own")
	for _, list := range lists {
		if !list.Closed {
			require.Equal(t, list.Name, found[list.At].Whole.Name, list.At)
		}
	}
}
