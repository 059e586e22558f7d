package mirror

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	sellerapi "sellerapi.dev/proto/clients/go"
)

type member struct {
	column string
	value  any
}

// members returns the members of a record that have a column of the same name: all except lists.
func members(record any) []member {
	var all []member
	of := reflect.ValueOf(record)
	for i := range of.NumField() {
		field := of.Field(i)
		if field.Kind() == reflect.Slice {
			continue
		}
		column, _, _ := strings.Cut(of.Type().Field(i).Tag.Get("json"), ",")
		all = append(all, member{column, stored(field)})
	}
	return all
}

func stored(field reflect.Value) any {
	if field.Kind() == reflect.Pointer {
		if field.IsNil() {
			return nil
		}
		field = field.Elem()
	}
	switch value := field.Interface().(type) {
	case time.Time:
		return sellerapi.FormatTime(value)
	case bool, int64:
		return value
	default:
		return field.String()
	}
}

func insertion(table string, record any, more ...member) (string, []any) {
	all := slices.Concat(members(record), more)
	columns, places, values := make([]string, len(all)), make([]string, len(all)), make([]any, len(all))
	for i, one := range all {
		columns[i], places[i], values[i] = one.column, "?", one.value
	}
	return fmt.Sprintf("insert into %s (%s) values (%s)", table, strings.Join(columns, ", "), strings.Join(places, ", ")), values
}

// onConflict returns the clause that makes an insertion overwrite an existing row.
func onConflict(key string, record any) string {
	all := members(record)
	sets := make([]string, len(all))
	for i, one := range all {
		sets[i] = one.column + " = excluded." + one.column
	}
	return fmt.Sprintf(" on conflict (%s) do update set %s", key, strings.Join(sets, ", "))
}
