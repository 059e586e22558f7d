package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// toJSON converts a YAML document to JSON. It keeps the order of members, because people read the JSON too. The document
// is limited to what JSON has: mappings with strings as names, sequences, strings, integers and decimals, booleans, null.
func toJSON(text []byte) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	if len(root.Content) != 1 {
		return nil, fmt.Errorf("read the document: %d roots", len(root.Content))
	}
	var out bytes.Buffer
	if err := writeNode(&out, root.Content[0]); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func writeNode(out *bytes.Buffer, node *yaml.Node) error {
	switch node.Kind {
	case yaml.MappingNode:
		return writeMapping(out, node)
	case yaml.SequenceNode:
		return writeSequence(out, node)
	case yaml.ScalarNode:
		return writeScalar(out, node)
	default:
		return fmt.Errorf("line %d: an anchor or alias, which not every reader of YAML follows", node.Line)
	}
}

func writeMapping(out *bytes.Buffer, node *yaml.Node) error {
	out.WriteByte('{')
	for i := 0; i < len(node.Content); i += 2 {
		if i > 0 {
			out.WriteByte(',')
		}
		if name := node.Content[i]; name.Tag != "!!str" {
			return fmt.Errorf("line %d: the name %q is not a text", name.Line, name.Value)
		}
		if err := writeScalar(out, node.Content[i]); err != nil {
			return err
		}
		out.WriteByte(':')
		if err := writeNode(out, node.Content[i+1]); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

func writeSequence(out *bytes.Buffer, node *yaml.Node) error {
	out.WriteByte('[')
	for i, element := range node.Content {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := writeNode(out, element); err != nil {
			return err
		}
	}
	out.WriteByte(']')
	return nil
}

func writeScalar(out *bytes.Buffer, node *yaml.Node) error {
	var value any
	switch node.Tag {
	case "!!str":
		value = node.Value
	case "!!int", "!!float":
		value = json.Number(node.Value)
	case "!!bool":
		value = node.Value == "true"
	case "!!null":
	default:
		return fmt.Errorf("line %d: %q is a %s, which JSON does not have", node.Line, node.Value, node.Tag)
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("line %d: %w", node.Line, err)
	}
	out.Truncate(out.Len() - 1) // the encoder's line feed
	return nil
}
