// Package web is the HTTP border of every service: a gin engine whose answers
// are always the envelope, one writer for all of them, and strict readers of
// query, path and body.
//
// # Answers
//
// [Handle] turns a function that returns data or an error into a handler. It is
// the only writer: a handler names no status and no code, it returns them as an
// [apierr.Code]. Middleware that refuses a request calls [Fail], and code that
// has no gin context, such as the error handler of a proxy, calls
// [WriteFailure]. Whatever happens, an answer is written once, logged in one
// line and counted once, because only the engine's outermost middleware logs and
// counts; the writers merely leave a note of the failure on the request.
//
// JSON is encoded by go-json-experiment/json, the coming version 2 of the
// standard package. What differs from version 1 is what the contract wants: a
// nil slice is [], nothing is escaped for HTML, and omitempty omits what would
// be null or an empty string, list or object.
//
// # Requests
//
// [ParseQuery] and [ReadBody] collect every problem of a request before they
// report, so that a client repairs a request in one go. They guess nothing:
// misspelt filters, repeated parameters, names in another letter case and
// doubled members would otherwise be silently read as something else.
//
// Two rules of precedence hold for lists. Problems of form win over the cursor:
// a cursor cannot be checked against filters that could not be read. And a body
// of the wrong media type or size wins over everything in it.
//
// # Routing
//
// The engine routes on the path as it was sent, so an encoded slash never
// changes which route is meant. gin therefore leaves parameters encoded: read
// them with [PathValue], never with c.Param.
//
// # The log line
//
// One line a request: id, method, route, status, duration, bytes, the code and,
// for failures with a cause, the cause; seller and key prefix when the request
// has a principal. Values of queries, paths, headers and bodies never appear:
// they may be personal data. A 5xx is logged as an error. A client that went
// away before its answer is not: its status is logged and counted as 499.
package web
