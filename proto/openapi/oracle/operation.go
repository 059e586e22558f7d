package oracle

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// operation is one method of one path.
type operation struct {
	method   string
	path     string
	segments []string
	item     *openapi3.PathItem
	spec     *openapi3.Operation
}

// operationsOf lists the operations, those with more literal segments first, so that the first match is the best one.
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

// parameters counts the segments that are not literal.
func (op operation) parameters() int {
	count := 0
	for _, segment := range op.segments {
		if isParameter(segment) {
			count++
		}
	}
	return count
}

// match returns the values of the path's parameters, still escaped. A parameter takes any text but none.
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

// response returns the description of an answer with this status.
func (op operation) response(status int) *openapi3.Response {
	if described := op.spec.Responses.Status(status); described != nil {
		return described.Value
	}
	return nil
}

// findings are all kinds of answers of the operation, by status and then in the order of the codes.
func (op operation) findings() []Finding {
	var list []Finding
	responses := op.spec.Responses.Map()
	for _, key := range slices.Sorted(maps.Keys(responses)) {
		status, err := strconv.Atoi(key)
		if err != nil {
			continue // a range or a default, which the contract does not have
		}
		for _, code := range codesOf(responses[key].Value) {
			list = append(list, Finding{Operation: op.spec.OperationID, Status: status, Code: code})
		}
	}
	return list
}

// codesOf are the values of x-error-codes, null as the empty text. A response without the extension is a success and has
// the empty text only.
func codesOf(response *openapi3.Response) []string {
	listed, ok := response.Extensions["x-error-codes"].([]any)
	if !ok {
		return []string{""}
	}
	codes := make([]string, 0, len(listed))
	for _, value := range listed {
		code, _ := value.(string)
		codes = append(codes, code)
	}
	return codes
}
