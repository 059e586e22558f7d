package guides

import (
	_ "embed" // the examples
	"encoding/json"
	"fmt"
)

// Failure is a call that a running system refused, as the end-to-end tests recorded it: its identifiers, keys and times are
// replaced by those of other examples, everything else is what was sent and received.
type Failure struct {
	// Code is the last part of the page's path: the code, or the status if there is no code.
	Code string `json:"code"`
	// Method and Path are the request line; Path includes the query.
	Method string `json:"method"`
	Path   string `json:"path"`
	// Headers are the headers that affect the response, one per element, in the order in which they are shown.
	Headers []string `json:"headers"`
	// Body is the body as JSON, or as a JSON string if it is not valid JSON; absent if none was sent.
	Body json.RawMessage `json:"body,omitempty"`
	// Status is the status of the response.
	Status int `json:"status"`
	// Answer is the body of the response by language, en and ko.
	Answer map[string]json.RawMessage `json:"answer"`
}

//go:embed failures.json
var failures []byte

// Failures lists the recorded refusals in the order of the error table.
func Failures() ([]Failure, error) {
	var list []Failure
	if err := json.Unmarshal(failures, &list); err != nil {
		return nil, fmt.Errorf("read failures.json: %w", err)
	}
	return list, nil
}
