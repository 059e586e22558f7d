// Package apierr is the one error table of the API.
//
// Every failure a client can receive is a row of the table in table.go: its
// code, HTTP status, whether it may appear inside a batch answer, whether an
// answer that carries it is kept for idempotent replays, its texts in both
// languages and its default Retry-After. Everything else in the services is
// derived from that row; status numbers and texts are not repeated in code.
//
// # Codes are errors
//
// A [Code] is itself an error, so the rules of a service simply return it:
//
//	return apierr.OrderItemNotShippable
//
// Data that the client can act on and the cause that only the operator may see
// are added with [Code.With] and [Code.Because]. The two never mix: data goes
// into the answer, a cause goes into the log.
//
// # Failures without a published code
//
// An unknown route, a wrong method or an unexpected failure have no code that
// is promised to clients. They are rows as well, with a Go-style name that
// appears in logs and metrics only; their [Code.WireCode] is empty and the
// answer carries a null error_code.
//
// TABLE.md is rendered from the table and a test compares the two.
package apierr

//go:generate go test -run TestTableDocumentIsCurrent -update .
