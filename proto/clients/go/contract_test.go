//go:build go1.24

package sellerapi_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	sellerapi "sellerapi.dev/proto/clients/go"
)

// types returns the types of this package by the schema that they represent: everything that its methods take and return, and
// that errors contain.
func types() map[string]reflect.Type {
	all := map[string]reflect.Type{
		"OrderList": reflect.TypeFor[sellerapi.OrderList](), "ClaimList": reflect.TypeFor[sellerapi.ClaimList](),
		"InquiryList": reflect.TypeFor[sellerapi.InquiryList](), "LoggedRequestList": reflect.TypeFor[sellerapi.LoggedRequestList](),
	}
	reach(reflect.TypeFor[sellerapi.ErrorData](), all)
	client := reflect.TypeFor[*sellerapi.Client]()
	for i := range client.NumMethod() {
		method := client.Method(i).Type
		for k := range method.NumIn() {
			reach(method.In(k), all)
		}
		for k := range method.NumOut() {
			reach(method.Out(k), all)
		}
	}
	return all
}

// reach records a type and those of its fields, as far as they represent a schema.
func reach(of reflect.Type, all map[string]reflect.Type) {
	switch {
	case of.Kind() == reflect.Slice || of.Kind() == reflect.Pointer:
		reach(of.Elem(), all)
	case of.Kind() != reflect.Struct || of.PkgPath() != reflect.TypeFor[sellerapi.Order]().PkgPath() || all[of.Name()] != nil:
	case of.NumField() > 0 && of.Field(0).Tag.Get("json") != "":
		if !strings.Contains(of.Name(), "[") { // a page is recorded under the name of its alias
			all[of.Name()] = of
		}
		for i := range of.NumField() {
			reach(of.Field(i).Type, all)
		}
	}
}

// texts are members with a list of values that are for people rather than programs.
var texts = []string{
	"Warning.code", "Warning.reason", "FieldError.code", "ErrorData.limit",
	"ClaimEvent.event", "ClaimEvent.parcel", "ClaimEvent.refund", "ClaimEvent.refund_status",
	"OrderEvent.event", "OrderEvent.outcome",
}

// A member without a field would be lost in the client.
func TestSchemas_everyMemberHasField(t *testing.T) {
	t.Parallel()
	d, all, listed := description(t), types(), constants(t)
	for name, of := range d.Components.Schemas {
		if len(of.Properties) == 0 || strings.HasSuffix(name, "Envelope") || strings.HasSuffix(name, "Meta") || name == "Failure" {
			continue
		}
		structure, known := all[name]
		require.True(t, known, "no type for %s", name)
		fields := structure.NumField()
		if name == "LoggedRequestList" {
			fields-- // it shares its type with lists that are read forwards
		}
		require.Equal(t, len(of.Properties), fields, "%s has members that are not described, or the reverse", name)
		for i := range fields {
			field := structure.Field(i)
			member, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			property, there := of.Properties[member]
			require.True(t, there, "%s.%s is not described", name, member)
			where := name + "." + member
			require.Equal(t, !slices.Contains(of.Required, member), options == "omitempty", "%s may be absent, or not", where)
			d.requireType(t, where, property, field.Type, listed)
		}
		delete(all, name)
	}
	require.Empty(t, all, "types that are not described")
}

func (d document) requireType(t *testing.T, where string, s schema, of reflect.Type, listed map[string][]string) {
	t.Helper()
	if len(s.OneOf) == 2 {
		require.Equal(t, reflect.Pointer, of.Kind(), where)
		d.requireType(t, where, s.OneOf[0], of.Elem(), listed)
		return
	}
	name, s := d.resolve(s)
	kind, nullable := s.kind()
	if nullable && !strings.HasSuffix(where, "Request.memo") { // no memo is an empty one, which is omitted
		require.Equal(t, reflect.Pointer, of.Kind(), "%s may be null", where)
	}
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch {
	case s.Format == "date-time":
		require.Equal(t, reflect.TypeFor[time.Time](), of, where)
	case kind == "array":
		require.Equal(t, reflect.Slice, of.Kind(), where)
		d.requireType(t, where, *s.Items, of.Elem(), listed)
	case kind == "object":
		require.Equal(t, name, of.Name(), where)
	case kind == "integer":
		require.Equal(t, reflect.Int64, of.Kind(), where)
	case kind == "boolean":
		require.Equal(t, reflect.Bool, of.Kind(), where)
	default:
		require.Equal(t, reflect.String, of.Kind(), where)
		requireValues(t, where, s, of, listed)
	}
}

func requireValues(t *testing.T, where string, s schema, of reflect.Type, listed map[string][]string) {
	t.Helper()
	switch {
	case slices.Contains(texts, where) || len(s.values()) == 0:
	case of.Name() == "Code":
		require.Subset(t, listed["Code"], s.values(), where)
	default:
		require.ElementsMatch(t, s.values(), listed[of.Name()], where)
	}
}

func constants(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, file := range []string{"contract.go"} {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(tree, func(node ast.Node) bool {
			if spec, isValue := node.(*ast.ValueSpec); isValue {
				of, value := spec.Type.(*ast.Ident).Name, spec.Values[0].(*ast.BasicLit).Value
				text, err := strconv.Unquote(value)
				require.NoError(t, err)
				all[of] = append(all[of], text)
			}
			return true
		})
	}
	return all
}

// Every code of the contract has its constant, and there are no others.
func TestCodes_eachHasConstant(t *testing.T) {
	t.Parallel()
	codes := description(t).Components.Schemas["ErrorCode"].values()
	require.ElementsMatch(t, append(codes, "ORDER_BATCH_ERROR"), constants(t)["Code"])
}

// Every operation has a method with its name, which sends the described request to the described path, and returns the type of
// the response.
func TestOperations_eachHasMethod(t *testing.T) {
	t.Parallel()
	d, all := description(t), types()
	d.operations(func(method, path string, operation described) {
		name := operation.OperationID
		var scenario callScenario
		scenario.Call.Operation, scenario.Call.ID, scenario.Call.Body = name, "x", []byte("{}")
		s := play(t, scripted{})
		result, err := scenario.perform(t, client(t, s, newClock()))
		require.NoError(t, err, name)
		got := s.got()[0]
		require.Equal(t, [2]string{method, regexp.MustCompile(`\{\w+\}`).ReplaceAllString(path, "x")}, [2]string{got.method, got.path})
		require.Equal(t, method == http.MethodPost, got.header.Get("Idempotency-Key") != "", name)
		require.Equal(t, all[d.dataOf(operation)], reflect.TypeOf(result), name)
		of := reflect.TypeFor[*sellerapi.Client]()
		m, _ := of.MethodByName(goName(name))
		d.requireParameters(t, operation, m.Type, all)
	})
}

func (d document) dataOf(operation described) string {
	answer := d.Components.Responses[last(operation.Responses["200"].Ref)]
	_, envelope := d.resolve(answer.Content["application/json"].Schema)
	return last(envelope.Properties["data"].Ref)
}

func (d document) requireParameters(t *testing.T, operation described, method reflect.Type, all map[string]reflect.Type) {
	t.Helper()
	var filter, body reflect.Type
	for i := 2; i < method.NumIn()-1; i++ {
		switch of := method.In(i); {
		case strings.HasSuffix(of.Name(), "Filter"):
			filter = of
		case of.Kind() == reflect.Struct:
			body = of
		}
	}
	if operation.RequestBody == nil {
		require.Nil(t, body, operation.OperationID)
	} else {
		require.Equal(t, all[last(operation.RequestBody.Content["application/json"].Schema.Ref)], body, operation.OperationID)
	}
	var filters int
	for _, one := range operation.Parameters {
		described := d.Components.Parameters[last(one.Ref)]
		if described.In != "query" {
			continue
		}
		filters++
		require.NotNil(t, filter, operation.OperationID)
		d.requireFilter(t, operation.OperationID+"?"+described.Name, described, filter)
	}
	if filter != nil {
		require.Equal(t, filters, filter.NumField(), "%s has a filter that is not described", operation.OperationID)
	}
}

func (d document) requireFilter(t *testing.T, where string, described parameter, filter reflect.Type) {
	t.Helper()
	var found bool
	for i := range filter.NumField() {
		field := filter.Field(i)
		if field.Tag.Get("query") != described.Name {
			continue
		}
		found = true
		name, s := d.resolve(described.Schema)
		switch kind, _ := s.kind(); {
		case name == "RequestTime":
			require.Equal(t, reflect.TypeFor[time.Time](), field.Type, where)
		case kind == "integer":
			require.Equal(t, reflect.Int, field.Type.Kind(), where)
		default:
			require.Equal(t, reflect.String, field.Type.Kind(), where)
			requireValues(t, where, s, field.Type, constants(t))
		}
	}
	require.True(t, found, "%s has no field", where)
}
