// Package upstream forwards an admitted request to the service that owns the operation and returns the answer.
//
// # What goes in
//
// The inner request is built from nothing: method, path and query exactly as they came, the few headers in
// requestHeaders, the request id, the trace, and the principal signed for this method and path. No other inbound header
// travels, so there is nothing that a client could smuggle past us: not an internal header, not one that it names in
// Connection to have it removed, not X-Api-Key, and not headers for the next hop, such as Upgrade.
//
// The query is taken from the request as it was sent, also where it cannot be parsed: otherwise the service could not refuse it.
//
// # What comes out
//
// The body passes byte for byte; of the headers only those in answerHeaders. Informational answers and trailers end here.
// An answer is the service's only if it is JSON and not a refusal of our own signature; anything else is 502.
//
// # When it fails
//
//	nothing was heard from the service      503, Retry-After 1: refused, reset, unreachable, not configured
//	something was heard, but not an answer  502
//	the operation's time is over            504
//	the answer broke off in the middle      the connection to the client is torn down: half an answer must not look whole
//	the client went away                    nothing; it is counted, but not as an error
//
// A connection that the service closed while it was idle is noticed before it is used; a request of which not one byte was
// sent is sent again on another connection, any other POST is not. Package roundtrip does that.
package upstream
