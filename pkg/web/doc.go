// Package web is the HTTP layer of every service: a gin engine whose responses
// always have the envelope, one writer for all of them, and strict parsers of
// query, path and body.
//
// # Answers
//
// [Handle] converts a function that returns data or an error to a handler. It is
// the only writer: a function does not write a status or a code, it returns an
// [apierr.Code]. Middleware that refuses a request calls [Fail], and code without
// a gin context, such as the error handler of a proxy, calls [WriteFailure]. A
// response is always written, logged and counted exactly once, because only the
// engine's outermost middleware logs and counts; the writers only record the
// failure in the request.
//
// JSON is encoded by go-json-experiment/json, the coming version 2 of the
// standard package. What differs from version 1 is what the contract wants: a
// nil slice is [], nothing is escaped for HTML, and omitempty omits what would
// be null or an empty string, list or object.
//
// # Requests
//
// [ParseQuery] and [ReadBody] report all problems of a request together, so that
// a client can fix them at once. They are strict: misspelt filters, repeated
// parameters, names in another letter case and duplicate members would otherwise
// be silently misread.
//
// Two rules of precedence hold for lists. Problems of form win over the cursor:
// a cursor cannot be checked against filters that could not be read. And a body
// of the wrong media type or size wins over everything in it.
//
// # Routing
//
// The engine routes on the path as it was sent, so an encoded slash never
// changes the route. gin therefore leaves parameters encoded: read them with
// [PathValue], never with c.Param.
//
// # The log line
//
// One line a request: id, method, route, status, duration, bytes, the code and,
// for failures with a cause, the cause; seller and key prefix when the request
// has a principal. Values of queries, paths, headers and bodies never appear:
// they may be personal data. A 5xx is logged as an error. A client that
// disconnects before the response is not an error: its status is logged and
// counted as 499.
package web
