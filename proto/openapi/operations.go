package openapi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Operation is one operation of the document.
type Operation struct {
	// ID is its operationId, such as ship_order.
	ID string
	// Summary says in a few words what it does.
	Summary string
	// Tag is the group that it belongs to, such as Orders.
	Tag string
	// Method is GET or POST.
	Method string
	// Path names its parameters in braces, as in /open/v1/orders/{order_no}.
	Path string
	// Scope is the scope that a key needs for it; empty for operations that need no key.
	Scope string
}

// Operations returns the operations by path and method. Tests of routers compare their routes with it.
func Operations() ([]Operation, error) { return operationsOf(source()) }

// KoreanOperations returns the same operations with Korean summaries.
func KoreanOperations() ([]Operation, error) { return operationsOf(Korean().text) }

func operationsOf(text []byte) ([]Operation, error) {
	var document struct {
		Paths map[string]map[string]yaml.Node `yaml:"paths"`
	}
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	var list []Operation
	for path, members := range document.Paths {
		for _, method := range []string{"get", "post"} {
			described, there := members[method]
			if !there {
				continue
			}
			operation := Operation{Method: strings.ToUpper(method), Path: path}
			if err := operation.read(described); err != nil {
				return nil, fmt.Errorf("read %s %s: %w", method, path, err)
			}
			list = append(list, operation)
		}
	}
	slices.SortFunc(list, func(a, b Operation) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method)) })
	return list, nil
}

func (o *Operation) read(described yaml.Node) error {
	var members struct {
		ID      string   `yaml:"operationId"`
		Summary string   `yaml:"summary"`
		Tags    []string `yaml:"tags"`
		Scopes  []string `yaml:"x-scopes"`
	}
	if err := described.Decode(&members); err != nil {
		return err
	}
	o.ID, o.Summary, o.Tag, o.Scope = members.ID, members.Summary, strings.Join(members.Tags, " "), strings.Join(members.Scopes, " ")
	return nil
}

// Route returns method and path in the notation of routers: GET /open/v1/orders/:order_no.
func (o Operation) Route() string {
	return o.Method + " " + strings.NewReplacer("{", ":", "}", "").Replace(o.Path)
}
