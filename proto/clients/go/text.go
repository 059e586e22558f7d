package sellerapi

import (
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"unicode/utf8"
)

// checkTexts refuses a call with a text that is not UTF-8: encoding/json and servers put replacement characters, which nothing
// turns back.
func (c *call) checkTexts(identifier string, body any) error {
	field := notUTF8("", reflect.ValueOf(body))
	for name, texts := range (url.Values{"Idempotency-Key": {c.key}, "X-Request-Id": {c.requestID}, "the path": {identifier}}) {
		if field == "" {
			field = notUTF8(name, reflect.ValueOf(texts[0]))
		}
	}
	for name, texts := range c.query {
		if field == "" {
			field = notUTF8("query."+name, reflect.ValueOf(texts[0]))
		}
	}
	if field == "" {
		return nil
	}
	return fmt.Errorf("%s: %s is not UTF-8", c.name, field)
}

// notUTF8 returns the name of the first text in a value that is not UTF-8, such as items[3].tracking_no, or an empty name.
func notUTF8(name string, value reflect.Value) string {
	switch value.Kind() { //nolint:exhaustive // the others have no texts
	case reflect.String:
		if !utf8.ValidString(value.String()) {
			return name
		}
	case reflect.Pointer:
		return notUTF8(name, value.Elem()) // of nil, a value without kind
	case reflect.Slice:
		for i := range value.Len() {
			if found := notUTF8(fmt.Sprintf("%s[%d]", name, i), value.Index(i)); found != "" {
				return found
			}
		}
	case reflect.Struct:
		for i := range value.NumField() {
			member, _, _ := strings.Cut(value.Type().Field(i).Tag.Get("json"), ",")
			if found := notUTF8(strings.TrimPrefix(name+"."+member, "."), value.Field(i)); found != "" {
				return found
			}
		}
	}
	return ""
}
