// Package apierr is the one error table of the API.
//
// Every failure that a client can receive is a row of the table in table.go:
// its code, HTTP status, whether it may appear inside a batch response, whether
// a response with it is stored for idempotent replays, its texts in both
// languages and its default Retry-After. Everything else in the services is
// derived from that row; status numbers and texts are not repeated elsewhere.
//
// # Codes are errors
//
// A [Code] is itself an error, so the rules of a service simply return it:
//
//	return apierr.OrderItemNotShippable
//
// Data that the client can act on and the cause that only the operator may see
// are added with [Code.With] and [Code.Because]. The two never mix: data goes
// into the response, a cause goes into the log.
//
// # Failures without a published code
//
// An unknown route, a wrong method and an unexpected failure have no published
// code. They are rows as well, with a Go-style name that appears in logs and
// metrics only; their [Code.WireCode] is empty and the response has a null
// error_code.
//
// TABLE.md is rendered from the table and a test compares the two.
package apierr

//go:generate go test -run TestTableDocumentIsCurrent -update .
