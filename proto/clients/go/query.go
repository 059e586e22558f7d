package sellerapi

import (
	"net/url"
	"reflect"
	"strconv"
	"time"
)

// queryOf encodes a filter: a struct whose fields are tagged with their parameters. Fields that are zero are
// not sent.
func queryOf(filter any) url.Values {
	query := url.Values{}
	value := reflect.ValueOf(filter)
	for i := range value.NumField() {
		name, field := value.Type().Field(i).Tag.Get("query"), value.Field(i)
		if field.IsZero() {
			continue
		}
		switch content := field.Interface().(type) {
		case time.Time:
			query.Set(name, FormatTime(content))
		case int:
			query.Set(name, strconv.Itoa(content))
		default:
			query.Set(name, field.String())
		}
	}
	return query
}
