package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Failure is an example of a refused call.
type Failure struct {
	// Method and Path are of the first operation of the document that is refused like that; empty where no operation is.
	Method, Path string
	// Request is an example of its body as JSON; empty where it has none.
	Request string
	// Answer is the body of the refusal as JSON.
	Answer string
}

// Failures are the document's examples of failures by their name, which is the code where there is one.
func Failures() (map[string]Failure, error) {
	var document described
	if err := yaml.Unmarshal(source(), &document); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	operations, err := Operations()
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(operations, func(a, b Operation) int { return tellsMost(a) - tellsMost(b) })
	failures := map[string]Failure{}
	for name, example := range document.Components.Examples {
		if strings.ToUpper(name) != name {
			continue // examples of successes
		}
		failure, err := document.failure(name, operations)
		if err != nil {
			return nil, fmt.Errorf("example %s: %w", name, err)
		}
		if failure.Answer, err = indented(example.Value); err != nil {
			return nil, fmt.Errorf("example %s: %w", name, err)
		}
		failures[name] = failure
	}
	return failures, nil
}

// described is what the document says of refusals.
type described struct {
	Paths      map[string]map[string]yaml.Node `yaml:"paths"`
	Components struct {
		Examples map[string]struct {
			Value yaml.Node `yaml:"value"`
		} `yaml:"examples"`
		Responses map[string]struct {
			Content map[string]examples `yaml:"content"`
		} `yaml:"responses"`
	} `yaml:"components"`
}

// examples are references by name, in the order of the document.
type examples struct {
	Examples yaml.Node `yaml:"examples"`
}

// named reports whether an example of the name is among them.
func (e examples) named(name string) bool {
	for i := 0; i < len(e.Examples.Content); i += 2 {
		if e.Examples.Content[i].Value == name {
			return true
		}
	}
	return false
}

// refusable is an operation as far as refusals need it.
type refusable struct {
	RequestBody struct {
		Content map[string]examples `yaml:"content"`
	} `yaml:"requestBody"`
	Responses map[string]reference `yaml:"responses"`
}

type reference struct {
	Ref string `yaml:"$ref"`
}

// tellsMost orders operations by how much an example of theirs says: most know a shipment, and a body says more than none.
func tellsMost(o Operation) int {
	switch {
	case o.ID == "ship_order":
		return 0
	case o.Method == http.MethodPost:
		return 1
	default:
		return 2
	}
}

// failure finds the operation that an example belongs to.
func (d *described) failure(name string, operations []Operation) (Failure, error) {
	for _, operation := range operations {
		var members refusable
		node := d.Paths[operation.Path][strings.ToLower(operation.Method)]
		if err := node.Decode(&members); err != nil {
			return Failure{}, err
		}
		for _, response := range members.Responses {
			shared := d.Components.Responses[strings.TrimPrefix(response.Ref, "#/components/responses/")]
			if shared.Content["application/json"].named(name) {
				request, err := d.request(members.RequestBody.Content["application/json"])
				return Failure{Method: operation.Method, Path: operation.Path, Request: request}, err
			}
		}
	}
	return Failure{}, nil
}

// request is the first example of a body; empty for none.
func (d *described) request(body examples) (string, error) {
	if len(body.Examples.Content) == 0 {
		return "", nil
	}
	return indented(d.Components.Examples[body.Examples.Content[0].Value].Value)
}

// indented writes a node as JSON for people.
func indented(node yaml.Node) (string, error) {
	var compact, wide bytes.Buffer
	if err := writeNode(&compact, &node); err != nil {
		return "", err
	}
	if err := json.Indent(&wide, compact.Bytes(), "", "  "); err != nil {
		return "", err
	}
	return wide.String(), nil
}
