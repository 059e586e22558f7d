//go:build go1.24

package sellerapi_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	sellerapi "sellerapi.dev/proto/clients/go"
)

// No text of any call is sent with replacement characters: one that is not UTF-8 is refused with the name of its field.
func TestCalls_textsNotUTF8(t *testing.T) {
	t.Parallel()
	s := play(t)
	c := reflect.ValueOf(client(t, s, newClock()))
	seen := 0
	for i := range c.NumMethod() {
		name, method := c.Type().Method(i).Name, c.Method(i)
		if method.Type().NumOut() != 2 {
			continue // what iterates calls the same operation
		}
		seen++
		requireRefused(t, method, name, "Idempotency-Key", "none", sellerapi.Key("\xb0\xa1"))
		requireRefused(t, method, name, "X-Request-Id", "none", sellerapi.RequestID("\xb0\xa1"))
		for k := 1; k < method.Type().NumIn()-1; k++ {
			for _, path := range textsOf(method.Type().In(k)) {
				requireRefused(t, method, name, path, path)
			}
		}
	}
	require.Equal(t, 21, seen, "the operations of the interface")
	require.Empty(t, s.got())
}

// requireRefused performs a call whose text at a path is not UTF-8; every other text is one.
func requireRefused(t *testing.T, method reflect.Value, name, field, path string, options ...sellerapi.CallOption) {
	t.Helper()
	arguments := []reflect.Value{reflect.ValueOf(t.Context())}
	for k := 1; k < method.Type().NumIn()-1; k++ {
		argument := reflect.New(method.Type().In(k)).Elem()
		fill(argument, "", path)
		arguments = append(arguments, argument)
	}
	for _, option := range options {
		arguments = append(arguments, reflect.ValueOf(option))
	}
	err, _ := method.Call(arguments)[1].Interface().(error)
	if field == "" {
		field = "the path"
	}
	require.ErrorContains(t, err, ": "+field+" is not UTF-8", "%s %s", name, path)
}

// textsOf returns the paths to the texts in a type, as errors name them: an empty one for a type that is a text.
func textsOf(of reflect.Type) []string {
	var paths []string
	walk(of, "", func(path string) { paths = append(paths, path) })
	return paths
}

func walk(of reflect.Type, path string, each func(string)) {
	switch of.Kind() { //nolint:exhaustive // the others have no texts
	case reflect.String:
		each(path)
	case reflect.Pointer:
		walk(of.Elem(), path, each)
	case reflect.Slice:
		walk(of.Elem(), path+"[1]", each)
	case reflect.Struct:
		if of.PkgPath() == "time" {
			return
		}
		for i := range of.NumField() {
			walk(of.Field(i).Type, memberPath(path, of.Field(i)), each)
		}
	}
}

func memberPath(path string, field reflect.StructField) string {
	if parameter := field.Tag.Get("query"); parameter != "" {
		return "query." + parameter
	}
	member, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return strings.TrimPrefix(path+"."+member, ".")
}

// fill sets every text of a value, and the one at the broken path to what is not UTF-8. Lists have two elements.
func fill(value reflect.Value, path, broken string) {
	switch value.Kind() { //nolint:exhaustive // the others have no texts
	case reflect.String:
		value.SetString("가")
		if path == broken {
			value.SetString("\xb0\xa1")
		}
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		fill(value.Elem(), path, broken)
	case reflect.Slice:
		value.Set(reflect.MakeSlice(value.Type(), 2, 2))
		fill(value.Index(0), path+"[0]", broken)
		fill(value.Index(1), path+"[1]", broken)
	case reflect.Struct:
		if value.Type().PkgPath() == "time" {
			return
		}
		for i := range value.NumField() {
			fill(value.Field(i), memberPath(path, value.Type().Field(i)), broken)
		}
	}
}
