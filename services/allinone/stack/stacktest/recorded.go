package stacktest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
)

// recorded are the forms of error_data that each failure of this test binary has had.
var recorded = struct {
	sync.Mutex
	forms map[string]map[string]bool
}{forms: map[string]map[string]bool{}}

// failure is what a form is taken from.
type failure struct {
	Meta struct {
		Code *string `json:"error_code"`
		Data any     `json:"error_data"`
	} `json:"meta"`
}

// record keeps the form of an answer that refuses.
func record(body []byte) {
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

// Recorded reports whether some answer of this test binary was the refusal with the code and had the form.
func Recorded(code, form string) bool {
	recorded.Lock()
	defer recorded.Unlock()
	return recorded.forms[code][form]
}

// FormOf takes the code and the form of error_data from a refusal with a code: the names of all its members, down to the last, and the
// reason, which is one of a list.
func FormOf(body []byte) (code, form string, refused bool) {
	var told failure
	if json.Unmarshal(body, &told) != nil || told.Meta.Code == nil {
		return "", "", false
	}
	names := map[string]bool{}
	nameMembers(names, "", told.Meta.Data)
	return *told.Meta.Code, strings.Join(slices.Sorted(maps.Keys(names)), " "), true
}

// nameMembers notes the names of a value's members under those above.
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
