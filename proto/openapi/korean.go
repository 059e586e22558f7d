package openapi

import (
	"bytes"
	_ "embed" // the texts
	"fmt"
	"path"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed seller-open-api.ko.yaml
var koreanWritten []byte

// said is the text of one operation or tag in another language.
type said struct{ Name, Summary, Description string }

// translation is the table of the texts of another language.
type translation struct {
	Info             struct{ Summary, Lead string }
	Tags, Operations map[string]said
	Guides           map[string]string
	Parameters       map[string]string
}

// Korean returns the contract for Korean readers, as JSON: the same interface, with the texts of seller-open-api.ko.yaml. Programs
// get [JSON] or [YAML], which are the contract.
func Korean() Document { return koreanDocument() }

var koreanDocument = sync.OnceValue(func() Document {
	text, err := translated(source(), koreanWritten)
	if err != nil {
		panic(err) // tests rule this out: both files are embedded
	}
	return NewDocument(text, "application/json")
})

// translated returns the document with the texts of a table, as JSON.
func translated(document, table []byte) ([]byte, error) {
	var texts translation
	decoder := yaml.NewDecoder(bytes.NewReader(table))
	decoder.KnownFields(true)
	if err := decoder.Decode(&texts); err != nil {
		return nil, fmt.Errorf("read the table of texts: %w", err)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(document, &root); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	texts.enter(root.Content[0])
	var out bytes.Buffer
	if err := writeNode(&out, root.Content[0]); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// enter replaces the texts of the document.
func (t *translation) enter(document *yaml.Node) {
	info := member(document, "info")
	set(info, "summary", t.Info.Summary)
	set(info, "description", t.Info.Lead+"\n"+member(info, "description").Value)
	t.guide(document)
	for _, tag := range member(document, "tags").Content {
		text := t.Tags[member(tag, "name").Value]
		set(tag, "x-displayName", text.Name) // operations refer to the name itself
		set(tag, "description", text.Description)
		t.guide(tag)
	}
	for _, item := range values(member(document, "paths")) {
		for _, operation := range values(item) {
			if id := member(operation, "operationId"); id != nil {
				text := t.Operations[id.Value]
				set(operation, "summary", text.Summary)
				set(operation, "description", text.Description)
				t.guide(operation)
			}
		}
	}
	parameters := member(member(document, "components"), "parameters")
	for name, text := range t.Parameters {
		set(member(parameters, name), "description", text)
	}
}

// guide sets the title of the guide of an operation, of a tag or of the whole, and links to its Korean page.
func (t *translation) guide(of *yaml.Node) {
	link := member(of, "externalDocs")
	if url := member(link, "url"); url != nil {
		set(link, "description", t.Guides[path.Base(url.Value)])
		set(link, "url", strings.Replace(url.Value, "/docs/", "/docs/ko/", 1))
	}
}

// member returns the value of a name in a mapping; nil if there is none.
func member(mapping *yaml.Node, name string) *yaml.Node {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// values returns the values of a mapping.
func values(mapping *yaml.Node) []*yaml.Node {
	var list []*yaml.Node
	for i := 1; i < len(mapping.Content); i += 2 {
		list = append(list, mapping.Content[i])
	}
	return list
}

// set sets the text of a name in a mapping, and adds the name if it is missing. It does nothing if the mapping is nil.
func set(mapping *yaml.Node, name, text string) {
	if mapping == nil {
		return
	}
	value := yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
	if there := member(mapping, name); there != nil {
		*there = value
		return
	}
	mapping.Content = append(mapping.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name}, &value)
}
