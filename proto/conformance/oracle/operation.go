package oracle

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

type operation struct {
	method   string
	path     string
	segments []string
	item     *openapi3.PathItem
	spec     *openapi3.Operation
}

// operationsOf returns the operations, those with more literal segments first, so that the first match is the best one.
func operationsOf(document *openapi3.T) []operation {
	var list []operation
	for path, item := range document.Paths.Map() {
		for method, spec := range item.Operations() {
			list = append(list, operation{
				method: method, path: path, segments: strings.Split(path, "/"), item: item, spec: spec,
			})
		}
	}
	slices.SortFunc(list, func(a, b operation) int {
		return cmp.Or(a.parameters()-b.parameters(), cmp.Compare(a.path, b.path), cmp.Compare(a.method, b.method))
	})
	return list
}

func isParameter(segment string) bool { return strings.HasPrefix(segment, "{") }

func (op operation) parameters() int {
	count := 0
	for _, segment := range op.segments {
		if isParameter(segment) {
			count++
		}
	}
	return count
}

// match returns the values of the path's parameters, still escaped. A parameter matches any text that is not empty.
func (op operation) match(path string) (map[string]string, bool) {
	segments := strings.Split(path, "/")
	if len(segments) != len(op.segments) {
		return nil, false
	}
	values := map[string]string{}
	for i, segment := range op.segments {
		switch {
		case isParameter(segment) && segments[i] != "":
			values[strings.Trim(segment, "{}")] = segments[i]
		case segment != segments[i]:
			return nil, false
		}
	}
	return values, true
}

func (op operation) response(status int) *openapi3.Response {
	if described := op.spec.Responses.Status(status); described != nil {
		return described.Value
	}
	return nil
}

func (op operation) findings() []Finding {
	var list []Finding
	responses := op.spec.Responses.Map()
	for _, key := range slices.Sorted(maps.Keys(responses)) {
		status, err := strconv.Atoi(key)
		if err != nil {
			continue // a range or a default, which the contract does not use
		}
		list = append(list, findingsOf(op.spec.OperationID, status, responses[key].Value)...)
	}
	return list
}

func findingsOf(operation string, status int, response *openapi3.Response) []Finding {
	codes := slices.Concat(codesOf(response), entryCodesOf(response))
	list := make([]Finding, 0, len(codes))
	for _, code := range codes {
		list = append(list, Finding{Operation: operation, Status: status, Code: code})
	}
	return list
}

// codesOf returns the values of x-error-codes, with null as an empty string. A response without the extension is a
// success, for which it returns one empty string.
func codesOf(response *openapi3.Response) []string {
	listed, ok := response.Extensions["x-error-codes"]
	if !ok {
		return []string{""}
	}
	return texts(listed)
}

// entryCodesOf returns the codes of entries that can fail in a success: the values of data.failed[].error_code.
func entryCodesOf(response *openapi3.Response) []string {
	media := response.Content[jsonType]
	if media == nil {
		return nil
	}
	failed := property(property(media.Schema, "data"), "failed")
	if failed == nil {
		return nil
	}
	code := property(failed.Value.Items, "error_code")
	if code == nil {
		return nil
	}
	return texts(code.Value.Extensions["x-extensible-enum"])
}

func property(object *openapi3.SchemaRef, name string) *openapi3.SchemaRef {
	if object == nil {
		return nil
	}
	return object.Value.Properties[name]
}

// texts returns the values of an extension that lists strings; null is an empty string.
func texts(extension any) []string {
	listed, _ := extension.([]any)
	list := make([]string, 0, len(listed))
	for _, value := range listed {
		text, _ := value.(string)
		list = append(list, text)
	}
	return list
}
