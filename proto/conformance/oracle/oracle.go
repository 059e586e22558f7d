package oracle

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"sellerapi.dev/proto/openapi"
)

// Oracle checks responses against the contract. It is safe for concurrent use.
type Oracle struct {
	document   *openapi3.T
	plain      *openapi3.T
	operations []operation
	tolerant   bool
	inside     bool

	mutex sync.Mutex
	seen  map[Finding]int
}

// Option configures what an oracle accepts.
type Option func(*Oracle)

// Tolerant makes an oracle accept members and values that the document does not name, as every client must.
func Tolerant() Option { return func(o *Oracle) { o.tolerant = true } }

// BehindGateway makes an oracle accept that headers are missing which only the gateway adds, for tests of a single
// service. It still checks those that are present.
func BehindGateway() Option { return func(o *Oracle) { o.inside = true } }

// New returns an oracle for the contract of this version of the code.
func New(options ...Option) (*Oracle, error) { return NewFor(openapi.YAML().Bytes(), options...) }

// NewFor returns an oracle for another document, for instance a released one.
func NewFor(document []byte, options ...Option) (*Oracle, error) {
	loader := openapi3.NewLoader()
	loaded, err := loader.LoadFromData(document)
	if err != nil {
		return nil, fmt.Errorf("load the contract: %w", err)
	}
	if err := loaded.Validate(context.Background(), openapi3.DisableExamplesValidation()); err != nil {
		return nil, fmt.Errorf("load the contract: %w", err)
	}
	o := &Oracle{document: loaded, plain: plainly(loaded), operations: operationsOf(loaded), seen: map[Finding]int{}}
	for _, option := range options {
		option(o)
	}
	if !o.tolerant {
		tighten(o.operations, loaded.Webhooks, o.unrouted())
	}
	return o, nil
}

// unrouted returns the descriptions of responses to requests without an operation, by status. They are the components
// that the extension x-unrouted-responses names.
func (o *Oracle) unrouted() map[int]*openapi3.Response {
	answers := map[int]*openapi3.Response{}
	for status, name := range map[int]string{404: "PathNotFound", 405: "MethodNotAllowed"} {
		if response := o.document.Components.Responses[name]; response != nil {
			answers[status] = response.Value
		}
	}
	return answers
}

// Finding is one kind of response, or of a failed entry in the response to a batch.
type Finding struct {
	// Operation is the operationId; empty if no operation matched.
	Operation string
	Status    int
	// Code is the error_code; empty for a success and for a failure without one. With a success it is the code of a
	// failed entry.
	Code string
}

// String returns the finding in one line, such as "ship_order 409 SHIPMENT_STATE_CONFLICT".
func (f Finding) String() string {
	name, code := f.Operation, f.Code
	if name == "" {
		name = "(no operation)"
	}
	if code != "" {
		code = " " + code
	}
	return fmt.Sprintf("%s %d%s", name, f.Status, code)
}

func (o *Oracle) note(answer Finding, failed []Finding) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.seen[answer]++
	for _, entry := range failed {
		o.seen[entry]++
	}
}

// Seen returns how often each kind of response was accepted.
func (o *Oracle) Seen() map[Finding]int {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	return maps.Clone(o.seen)
}

// Promised returns every kind of response that the contract describes: those of the operations in their order, then those
// to requests without an operation.
func (o *Oracle) Promised() []Finding {
	var promised []Finding
	for _, operation := range o.operations {
		promised = append(promised, operation.findings()...)
	}
	unrouted := o.unrouted()
	for _, status := range slices.Sorted(maps.Keys(unrouted)) {
		promised = append(promised, findingsOf("", status, unrouted[status])...)
	}
	return promised
}

// Unseen returns the kinds of responses that the contract describes and that have not been accepted yet, in the order of
// the contract.
func (o *Oracle) Unseen() []Finding {
	seen := o.Seen()
	var unseen []Finding
	for _, finding := range o.Promised() {
		if seen[finding] == 0 {
			unseen = append(unseen, finding)
		}
	}
	return unseen
}
