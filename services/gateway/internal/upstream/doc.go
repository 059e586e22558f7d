// Package upstream forwards an admitted request to the service that owns the operation and returns the answer.
//
// # The inner request
//
// The inner request is built from scratch: method, path and query exactly as received, the few headers in requestHeaders, the
// request id, the trace, and the principal signed for this method and path. No other inbound header is forwarded, so a client
// cannot smuggle any: not an internal header, not one that it names in Connection to have it removed, not X-Api-Key, and not
// headers for the next hop, such as Upgrade.
//
// The query is forwarded as received even if it cannot be parsed: otherwise the service could not refuse it.
//
// # The answer
//
// The body passes byte for byte; of the headers only those in answerHeaders. Informational answers and trailers are dropped. An
// answer is accepted from the service only if it is JSON and not a refusal of the gateway's signature; anything else is 502.
//
// # Failures
//
//	the service sent nothing                503: refused, reset, unreachable, not configured
//	the service sent something else         502
//	the service took too long               504; the time in which the client reads is not the service's
//	the answer broke off in the middle      the client's connection is aborted: a partial answer must not look complete
//	the client went away                    nothing; it is counted, but not as an error
//
// The Retry-After of such a 503 grows from 1 to 6 with the time for which the service has sent nothing to this instance
// (outage.go), because the calls are charged: a client that follows it does not spend its limit on an outage.
//
// An idle connection that the service closed is detected before it is used; a request of which no byte was sent is retried on
// another connection, any other POST is not. Package http1 does that.
package upstream
