package oracle

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// ViolationError describes how a response violates the contract.
type ViolationError struct {
	// Finding is the kind of the response, as far as it is known.
	Finding Finding
	// Problems are sentences for the output of a test.
	Problems []string
}

// Error lists all problems.
func (v *ViolationError) Error() string {
	return fmt.Sprintf("%s is not as the contract says:\n  %s", v.Finding, strings.Join(v.Problems, "\n  "))
}

// Check checks one response against the contract. Of the request it needs method and URL. The body must be complete and
// not compressed. The error is a *[ViolationError].
func (o *Oracle) Check(r *http.Request, status int, header http.Header, body []byte) (Finding, error) {
	a, err := o.check(r, status, header, body)
	return a.finding, err
}

// CheckExchange is Check, and also checks the request against the contract if the response says that all of it was
// done: what our tests send as valid must be what clients are told to send. sent is the complete body of the request.
func (o *Oracle) CheckExchange(r *http.Request, sent []byte, status int, header http.Header, body []byte) (Finding, error) {
	a, err := o.check(r, status, header, body)
	if err == nil && status/100 == 2 && len(a.failed) == 0 {
		err = o.CheckRequest(r, sent)
	}
	return a.finding, err
}

func (o *Oracle) check(r *http.Request, status int, header http.Header, body []byte) (*answer, error) {
	op, described := o.describe(r, status)
	a := &answer{
		oracle: o, described: described, header: header, body: body, bodiless: r.Method == http.MethodHead,
		finding: Finding{Operation: op, Status: status},
	}
	if described == nil {
		a.problem("the status is not documented")
	} else {
		a.checkHeaders()
		a.checkBody()
	}
	if len(a.problems) > 0 {
		return a, &ViolationError{Finding: a.finding, Problems: a.problems}
	}
	o.note(a.finding, a.failed)
	return a, nil
}

func (o *Oracle) describe(r *http.Request, status int) (string, *openapi3.Response) {
	op, known := o.find(r)
	switch {
	case op != nil:
		return op.spec.OperationID, op.response(status)
	case known && status == http.StatusMethodNotAllowed, !known && status == http.StatusNotFound:
		return "", o.unrouted()[status]
	default:
		return "", nil
	}
}

// find returns the operation of a request, and whether its path exists, possibly with another method.
func (o *Oracle) find(r *http.Request) (*operation, bool) {
	known := false
	path := r.URL.EscapedPath()
	for i := range o.operations {
		if _, ok := o.operations[i].match(path); !ok {
			continue
		}
		if o.operations[i].method == r.Method {
			return &o.operations[i], true
		}
		known = true
	}
	return nil, known
}

type answer struct {
	oracle    *Oracle
	described *openapi3.Response
	header    http.Header
	body      []byte
	bodiless  bool
	finding   Finding
	failed    []Finding // the failed entries of a batch
	problems  []string
}

func (a *answer) problem(format string, values ...any) {
	a.problems = append(a.problems, fmt.Sprintf(format, values...))
}

// gatewayHeaders are the headers that only the gateway adds.
var gatewayHeaders = []string{"X-RateLimit-Limit", "X-RateLimit-Remaining"}

func (a *answer) checkHeaders() {
	for name, ref := range a.described.Headers {
		values := a.header.Values(name)
		excused := a.oracle.inside && slices.Contains(gatewayHeaders, name)
		switch {
		case len(values) == 0 && ref.Value.Required && !excused:
			a.problem("header %s is missing", name)
		case len(values) > 1:
			a.problem("header %s is there %d times", name, len(values))
		case len(values) == 1:
			if err := checkText(ref.Value.Schema.Value, values[0]); err != nil {
				a.problem("header %s: %s", name, firstLine(err))
			}
		}
	}
	a.checkUndocumentedHeaders()
}

// ofHTTP are the headers that HTTP and browsers use for themselves, whatever the interface says of a response.
var ofHTTP = []string{
	"Connection", "Content-Encoding", "Content-Length", "Content-Type", "Date", "Strict-Transport-Security", "Vary",
	"X-Content-Type-Options",
}

// checkUndocumentedHeaders requires that the document declares every header for this very response: clients act on what they get.
func (a *answer) checkUndocumentedHeaders() {
	if a.oracle.tolerant {
		return
	}
	documented := slices.Clone(ofHTTP)
	for name := range a.described.Headers {
		documented = append(documented, http.CanonicalHeaderKey(name))
	}
	for _, name := range slices.Sorted(maps.Keys(a.header)) {
		if !slices.Contains(documented, name) {
			a.problem("header %s is not documented here", name)
		}
	}
}

// ofLimits are the headers that come together or not at all.
var ofLimits = []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}

// checkLimitHeaders compares the headers about limits with each other and with the limit that a refusal names: the key's own
// limits have them, and that of an address has none.
func (a *answer) checkLimitHeaders(limit any) {
	count := 0
	for _, name := range ofLimits {
		if a.header.Get(name) != "" {
			count++
		}
	}
	switch {
	case limit == "address" && count > 0:
		a.problem("the limit of an address comes with headers of a key")
	case limit != nil && limit != "address" && count == 0 && !a.oracle.inside:
		a.problem("the limit %v comes without its headers", limit)
	case count > 0 && count < len(ofLimits):
		a.problem("of the headers %v there are %d", ofLimits, count)
	}
}
