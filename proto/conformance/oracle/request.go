package oracle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// ErrNoOperation means that the contract has no operation for a request.
var ErrNoOperation = errors.New("the contract has no such operation")

// CheckRequest reports whether a request conforms to the contract: parameters, the Idempotency-Key, the body. Servers
// accept more than that (a carrier name with surrounding blanks, for instance), so this is for what our own clients,
// examples and benchmarks send. It does not modify the request; body is the request's complete body.
func (o *Oracle) CheckRequest(r *http.Request, body []byte) error {
	op, _ := o.find(r)
	if op == nil {
		return fmt.Errorf("%s %s: %w", r.Method, r.URL.Path, ErrNoOperation)
	}
	escaped, _ := op.match(r.URL.EscapedPath())
	values := make(map[string]string, len(escaped))
	for name, text := range escaped {
		value, err := url.PathUnescape(text)
		if err != nil {
			return fmt.Errorf("path parameter %s: %w", name, err)
		}
		values[name] = value
	}
	return validate(r, body, values, &routers.Route{
		Spec: o.specFor(op), Path: op.path, PathItem: op.item, Method: op.method, Operation: op.spec,
	})
}

// validate checks a request against what a route describes of its parameters and its body.
func validate(r *http.Request, body []byte, path map[string]string, route *routers.Route) error {
	sent := r.Clone(r.Context())
	sent.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	sent.Body, _ = sent.GetBody()
	sent.ContentLength = int64(len(body))
	return openapi3filter.ValidateRequest(r.Context(), &openapi3filter.RequestValidationInput{
		Request: sent, PathParams: path, Route: route,
		Options: &openapi3filter.Options{
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, MultiError: true, SkipSettingDefaults: true,
		},
	})
}

// plainly returns the document as one that does not need JSON Schema 2020-12. The library compiles such schemas anew for
// every single parameter and body, which is a hundred times the work.
func plainly(document *openapi3.T) *openapi3.T {
	plain := *document
	plain.OpenAPI = "3.0.3"
	return &plain
}

// specFor returns the document that the requests of an operation are checked against: the plain one, except if the body's
// schema uses a keyword that the plain validator does not know. TestSchemas_onlyKnownKeywords ensures that.
func (o *Oracle) specFor(op *operation) *openapi3.T {
	if body := op.spec.RequestBody; body != nil && body.Value.Content[jsonType].Schema.Value.If != nil {
		return o.document
	}
	return o.plain
}
