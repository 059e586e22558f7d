package render

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// document is the part of the contract that the clients depend on.
type document struct {
	Paths      named[map[string]yaml.Node] `yaml:"paths"`
	Components struct {
		Parameters map[string]parameter `yaml:"parameters"`
		Responses  map[string]media     `yaml:"responses"`
		Schemas    named[schema]        `yaml:"schemas"`
	} `yaml:"components"`
}

type schema struct {
	Ref         string          `yaml:"$ref"`
	Description string          `yaml:"description"`
	Type        kinds           `yaml:"type"`
	Format      string          `yaml:"format"`
	Closed      []string        `yaml:"enum"`
	Open        []string        `yaml:"x-extensible-enum"`
	OtherNames  named[[]string] `yaml:"x-other-names"`
	Numbers     named[numbers]  `yaml:"x-tracking-numbers"`
	Required    []string        `yaml:"required"`
	Properties  named[schema]   `yaml:"properties"`
	Items       *schema         `yaml:"items"`
	OneOf       []schema        `yaml:"oneOf"`
}

type numbers struct {
	Lengths []int `yaml:"lengths"`
	// CheckFrom is nil if the rule of the check digit is not known.
	CheckFrom *int `yaml:"check-from"`
}

type parameter struct {
	Ref         string `yaml:"$ref"`
	Name        string `yaml:"name"`
	In          string `yaml:"in"`
	Description string `yaml:"description"`
	Schema      schema `yaml:"schema"`
}

type media struct {
	Content map[string]struct {
		Schema schema `yaml:"schema"`
	} `yaml:"content"`
}

type operation struct {
	ID         string      `yaml:"operationId"`
	Tags       []string    `yaml:"tags"`
	Parameters []parameter `yaml:"parameters"`
	Responses  map[string]struct {
		Ref string `yaml:"$ref"`
	} `yaml:"responses"`
	// Method is GET or POST.
	Method string `yaml:"-"`
	// Path names its parameters in braces.
	Path string `yaml:"-"`
}

// named is a mapping that keeps the order of its members.
type named[T any] []entry[T]

type entry[T any] struct {
	Name  string
	Value T
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (n *named[T]) UnmarshalYAML(node *yaml.Node) error {
	for i := 0; i+1 < len(node.Content); i += 2 {
		one := entry[T]{Name: node.Content[i].Value}
		if err := node.Content[i+1].Decode(&one.Value); err != nil {
			return fmt.Errorf("read %s: %w", one.Name, err)
		}
		*n = append(*n, one)
	}
	return nil
}

func (n named[T]) get(name string) (T, bool) {
	for i := range n {
		if n[i].Name == name {
			return n[i].Value, true
		}
	}
	var none T
	return none, false
}

// kinds are the types that a value can have: one, or one and null.
type kinds []string

// UnmarshalYAML implements yaml.Unmarshaler.
func (k *kinds) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		*k = kinds{node.Value}
		return nil
	}
	return node.Decode((*[]string)(k))
}

// operations returns the operations that require a key, in the order of the contract.
func (d *document) operations() ([]operation, error) {
	var all []operation
	for _, path := range d.Paths {
		for _, method := range []string{"get", "post"} {
			node, there := path.Value[method]
			if !there {
				continue
			}
			o := operation{Method: strings.ToUpper(method), Path: path.Name}
			if err := node.Decode(&o); err != nil {
				return nil, fmt.Errorf("read %s %s: %w", method, path.Name, err)
			}
			if !slices.Contains(o.Tags, "Description") {
				all = append(all, o)
			}
		}
	}
	return all, nil
}

// record reports whether a schema becomes a type of its own. The clients unwrap envelopes, and pages share one type.
func (s *schema) record(name string) bool {
	return len(s.Properties) > 0 && !s.page() && name != "Failure" && !strings.HasSuffix(name, "Envelope") &&
		!strings.HasSuffix(name, "Meta")
}

func (s *schema) page() bool {
	_, there := s.Properties.get("next_cursor")
	return there
}

func (s *schema) elementOf() string {
	list, _ := s.Properties.get("list")
	return last(list.Items.Ref)
}

// resolve follows references and returns the schema with its last name, which is empty if it has none.
func (d *document) resolve(s schema) (string, schema) {
	name := ""
	for s.Ref != "" {
		name = last(s.Ref)
		s, _ = d.Components.Schemas.get(name)
	}
	return name, s
}

func (d *document) listed(o operation) string {
	_, envelope := d.resolve(d.Components.Responses[last(o.Responses["200"].Ref)].Content["application/json"].Schema)
	data, _ := envelope.Properties.get("data")
	if _, page := d.resolve(data); page.page() {
		return page.elementOf()
	}
	return ""
}

func (s *schema) values() []string { return slices.Concat(s.Open, s.Closed) }

func (s *schema) nullable() bool { return slices.Contains(s.Type, "null") }

func (s *schema) kind() string {
	if len(s.Type) == 0 {
		return ""
	}
	return s.Type[0]
}

// about returns the description of a member: its own, or that of the text or list that it refers to.
func (d *document) about(member schema) string {
	if member.Description != "" || member.Ref == "" {
		return member.Description
	}
	_, s := d.resolve(member)
	if s.kind() == "array" || s.kind() == "string" && s.Format == "" && len(s.Open) == 0 {
		return s.Description
	}
	return ""
}

func last(ref string) string { return ref[strings.LastIndex(ref, "/")+1:] }

// takesKey reports whether the operation has the header Idempotency-Key.
func (o operation) takesKey() bool {
	return slices.ContainsFunc(o.Parameters, func(p parameter) bool { return strings.HasSuffix(p.Ref, "/IdempotencyKey") })
}
