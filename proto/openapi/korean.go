package openapi

import (
	"bytes"
	_ "embed" // the texts
	"fmt"
	"iter"
	"path"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed seller-open-api.ko.yaml
var koreanWritten []byte

// said is the text of one operation, webhook or tag in another language, and of the responses that it does not share with others.
// The fields are those of a webhook: its headers, its body, and the members of the body.
type said struct {
	Name, Summary, Description string
	Responses, Fields          map[string]string
}

// translation is the table of the texts of another language, by the names that the document has for what they describe.
type translation struct {
	Info             struct{ Summary, Description string }
	Servers          map[string]string
	Tags, Operations map[string]said
	Guides           map[string]string
	Components       map[string]map[string]string
	Properties       map[string]string
	Messages         map[string]string
}

// Korean returns the contract for Korean readers, as JSON: the same interface, with the texts of seller-open-api.ko.yaml.
// Programs get [JSON] or [YAML], which are the contract.
func Korean() Document { return koreanDocument() }

var koreanDocument = sync.OnceValue(func() Document {
	text, err := translated(source(), koreanWritten)
	if err != nil {
		panic(err) // tests rule this out: both files are embedded
	}
	return NewDocument(text, "application/json")
})

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

func (t *translation) enter(document *yaml.Node) {
	info := member(document, "info")
	replace(info, "summary", t.Info.Summary)
	replace(info, "description", t.Info.Description)
	for _, server := range member(document, "servers").Content {
		replace(server, "description", t.Servers[member(server, "url").Value])
	}
	for _, tag := range member(document, "tags").Content {
		text := t.Tags[member(tag, "name").Value]
		add(tag, "x-displayName", text.Name) // operations refer to the name itself
		replace(tag, "description", text.Description)
	}
	for _, section := range []string{"paths", "webhooks"} {
		for _, item := range members(member(document, section)) {
			for _, operation := range members(item) {
				t.enterOperation(operation)
			}
		}
	}
	for section, named := range members(member(document, "components")) {
		for name, component := range members(named) {
			t.enterComponent(section, name, component)
		}
	}
	t.enterMessages(member(member(document, "components"), "examples"))
	t.enterGuides(document)
}

// enterMessages replaces the texts for people in the examples by what the interface says to those who ask for Korean.
func (t *translation) enterMessages(node *yaml.Node) {
	if text := member(node, "message"); text != nil {
		replace(node, "message", t.Messages[text.Value])
	}
	for _, child := range node.Content {
		t.enterMessages(child)
	}
}

// enterOperation replaces the texts of an operation; other members of a path have no operationId.
func (t *translation) enterOperation(operation *yaml.Node) {
	id := member(operation, "operationId")
	if id == nil {
		return
	}
	text := t.Operations[id.Value]
	replace(operation, "summary", text.Summary)
	replace(operation, "description", text.Description)
	for status, response := range members(member(operation, "responses")) {
		replace(response, "description", text.Responses[status])
	}
	if len(text.Fields) > 0 {
		text.enterFields(operation)
	}
}

// enterFields replaces the texts of the headers of a webhook, and of its body and the members of that.
func (s said) enterFields(webhook *yaml.Node) {
	for _, header := range member(webhook, "parameters").Content {
		replace(header, "description", s.Fields[member(header, "name").Value])
	}
	body := member(webhook, "requestBody")
	replace(body, "description", s.Fields["body"])
	for _, content := range members(member(body, "content")) {
		s.enterProperties(member(content, "schema"))
	}
}

func (s said) enterProperties(schema *yaml.Node) {
	for name, property := range members(member(schema, "properties")) {
		replace(property, "description", s.Fields[name])
		s.enterProperties(property)
	}
}

// enterComponent replaces the text of a component, which is a summary or a description, and those of its properties.
func (t *translation) enterComponent(section, name string, component *yaml.Node) {
	text, own := t.Components[section][name]
	if _, property, is := strings.Cut(name, "."); is && !own {
		text = t.Properties[property]
	}
	replace(component, "summary", text)
	replace(component, "description", text)
	for property, of := range members(member(component, "properties")) {
		t.enterComponent(section, name+"."+property, of)
	}
}

// enterGuides replaces the titles of all guides that the document names, and links to their Korean pages.
func (t *translation) enterGuides(node *yaml.Node) {
	link := member(node, "externalDocs")
	if url := member(link, "url"); url != nil {
		replace(link, "description", t.Guides[path.Base(url.Value)])
		replace(link, "url", strings.Replace(url.Value, "/docs/", "/docs/ko/", 1))
	}
	for _, child := range node.Content {
		t.enterGuides(child)
	}
}

func member(mapping *yaml.Node, name string) *yaml.Node {
	for other, value := range members(mapping) {
		if other == name {
			return value
		}
	}
	return nil
}

// members iterates over the names and values of a mapping, of which a node of another kind has none.
func members(mapping *yaml.Node) iter.Seq2[string, *yaml.Node] {
	return func(yield func(string, *yaml.Node) bool) {
		if mapping == nil || mapping.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i < len(mapping.Content); i += 2 {
			if !yield(mapping.Content[i].Value, mapping.Content[i+1]) {
				return
			}
		}
	}
}

// replace replaces the text that a mapping has under a name. What the table has no text for keeps the one it has.
func replace(mapping *yaml.Node, name, text string) {
	if there := member(mapping, name); there != nil && there.Kind == yaml.ScalarNode && text != "" {
		*there = *textNode(text)
	}
}

func add(mapping *yaml.Node, name, text string) {
	mapping.Content = append(mapping.Content, textNode(name), textNode(text))
}

func textNode(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}
