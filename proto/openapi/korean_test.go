package openapi

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// A text for something that the contract does not have is a leftover, or has a wrong name and is shown nowhere. A text that is
// shown in several places says the same in all of them.
func TestKorean_noTextIsLeftOver(t *testing.T) {
	t.Parallel()
	var table yaml.Node
	require.NoError(t, yaml.Unmarshal(koreanWritten, &table))
	shown := map[string]map[string]bool{}
	mark(table.Content[0], "", shown)
	marked, err := yaml.Marshal(&table)
	require.NoError(t, err)
	text, err := translated(source(), marked)
	require.NoError(t, err)
	var document, english any
	require.NoError(t, json.Unmarshal(text, &document))
	require.NoError(t, json.Unmarshal(JSON().text, &english))
	find(document, english, shown)
	for name, places := range shown {
		require.Len(t, places, 1, name)
	}
}

func mark(node *yaml.Node, path string, paths map[string]map[string]bool) {
	if node.Kind == yaml.ScalarNode {
		node.Value, node.Tag, node.Style = path, "!!str", 0
		paths[path] = map[string]bool{}
	}
	for name, value := range members(node) {
		mark(value, path+"/"+name, paths)
	}
}

func find(marked, english any, shown map[string]map[string]bool) {
	switch marked := marked.(type) {
	case map[string]any:
		other, _ := english.(map[string]any)
		for name, value := range marked {
			find(value, other[name], shown)
		}
	case []any:
		other, _ := english.([]any)
		for i, value := range marked {
			find(value, other[i], shown)
		}
	case string:
		if places, known := shown[marked]; known {
			places[fmt.Sprint(english)] = true
		}
	}
}
