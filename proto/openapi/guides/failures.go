package guides

import (
	_ "embed" // the examples
	"encoding/json"
	"fmt"
)

// Failure is a call that a running system has refused, as the end-to-end tests recorded it: identifiers, keys and times in it are those of
// other examples, everything else is what was sent and answered.
type Failure struct {
	// Code is the last part of the page's path: the code, or the status where there is no code.
	Code string `json:"code"`
	// Method and Path are the request line; Path has the query.
	Method string `json:"method"`
	Path   string `json:"path"`
	// Headers are the headers that matter to the answer, each on a line, in the order in which they are shown.
	Headers []string `json:"headers"`
	// Body is the body as JSON, or as a JSON text when what was sent is no JSON; absent where none was sent.
	Body json.RawMessage `json:"body,omitempty"`
	// Status is the status of the answer.
	Status int `json:"status"`
	// Answer is the body of the answer by language, en and ko.
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
