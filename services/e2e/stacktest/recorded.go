package stacktest

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// recorded holds the forms of error_data that this test binary has seen, by error code.
var recorded = struct {
	sync.Mutex
	forms map[string]map[string]bool
}{forms: map[string]map[string]bool{}}

// failure holds the parts of a response that make up a form.
type failure struct {
	Meta struct {
		Status int     `json:"code"`
		Code   *string `json:"error_code"`
		Data   any     `json:"error_data"`
	} `json:"meta"`
}

// Record notes the form of a refusal that was received.
func Record(body []byte) {
	code, form, refused := FormOf(body)
	if !refused {
		return
	}
	recorded.Lock()
	defer recorded.Unlock()
	if recorded.forms[code] == nil {
		recorded.forms[code] = map[string]bool{}
	}
	recorded.forms[code][form] = true
}

// Recorded reports whether this test binary has received a refusal with the code and the form.
func Recorded(code, form string) bool {
	recorded.Lock()
	defer recorded.Unlock()
	return recorded.forms[code][form]
}

// FormOf returns the error code of a failure, or its status where it has none, and the form of its error_data: the names of all
// its members, at every level, and the reason, which is one of a fixed list.
func FormOf(body []byte) (code, form string, refused bool) {
	var told failure
	if json.Unmarshal(body, &told) != nil || told.Meta.Status < http.StatusBadRequest {
		return "", "", false
	}
	code = strconv.Itoa(told.Meta.Status)
	if told.Meta.Code != nil {
		code = *told.Meta.Code
	}
	names := map[string]bool{}
	nameMembers(names, "", told.Meta.Data)
	return code, strings.Join(slices.Sorted(maps.Keys(names)), " "), true
}

// nameMembers adds the names of a value's members, prefixed with the names of the members above.
func nameMembers(names map[string]bool, above string, value any) {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			names[above+name] = true
			if reason, isText := member.(string); isText && name == "reason" {
				names["reason="+reason] = true
			}
			nameMembers(names, above+name+".", member)
		}
	case []any:
		for _, element := range value {
			nameMembers(names, above, element)
		}
	}
}
