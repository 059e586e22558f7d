package openapi

import (
	"maps"
	"path"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// A text for something that the contract does not have is a leftover, or has a wrong name and is shown nowhere.
func TestKorean_noTextIsLeftOver(t *testing.T) {
	t.Parallel()
	var texts translation
	require.NoError(t, yaml.Unmarshal(koreanWritten, &texts))
	var document struct {
		Tags []struct {
			Name         string
			ExternalDocs struct{ URL string } `yaml:"externalDocs"`
		}
		ExternalDocs struct{ URL string } `yaml:"externalDocs"`
		Paths        map[string]map[string]yaml.Node
		Components   struct{ Parameters map[string]any }
	}
	require.NoError(t, yaml.Unmarshal(source(), &document))
	guides := map[string]bool{path.Base(document.ExternalDocs.URL): true}
	var operations []string
	tags := make([]string, 0, len(document.Tags))
	for _, tag := range document.Tags {
		tags, guides[path.Base(tag.ExternalDocs.URL)] = append(tags, tag.Name), true
	}
	for _, item := range document.Paths {
		for _, operation := range item {
			if id := member(&operation, "operationId"); id != nil {
				operations = append(operations, id.Value)
				guides[path.Base(member(member(&operation, "externalDocs"), "url").Value)] = true
			}
		}
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(texts.Tags)), tags)
	require.ElementsMatch(t, slices.Collect(maps.Keys(texts.Operations)), operations)
	require.ElementsMatch(t, slices.Collect(maps.Keys(texts.Guides)), slices.Collect(maps.Keys(guides)))
	require.ElementsMatch(t, slices.Collect(maps.Keys(texts.Parameters)), slices.Collect(maps.Keys(document.Components.Parameters)))
}
