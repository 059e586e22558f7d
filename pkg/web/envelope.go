package web

import "encoding/json"

// Envelope is the shape of every answer. Failures are written with it, and
// tests and clients read answers with it; the writers of this package produce
// exactly these members in this order.
type Envelope struct {
	Meta Meta `json:"meta"`
	// Data is the result; null on failure.
	Data json.RawMessage `json:"data"`
}

// Meta describes the result of a request.
type Meta struct {
	// Code is the HTTP status.
	Code int `json:"code"`
	// Message is for people; its wording may change.
	Message string `json:"message"`
	// ErrorCode is null on success and for failures without a published code.
	ErrorCode *string `json:"error_code"`
	// ErrorData is null on success; on failure it has at least request_id.
	ErrorData map[string]any `json:"error_data"`
}
