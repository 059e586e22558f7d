// Package rest is the public HTTP interface of the gateway: it passes every operation of the operation table through the checks
// in their fixed order and forwards it to its service.
//
//	unknown route 404, wrong method 405      checked before the key: the paths are public
//	the key: missing 401, invalid 401        the answer is the same for every defect of a key
//	the key could not be looked up 503       never 401: a client must not discard a valid key
//	revoked or expired by now 401            one round trip to Redis for this and the next three
//	the scope 403                            not charged
//	the limits 429, Redis unavailable 503    a refused call is not charged
//	the idempotency header 422, the body 413 charged, as are all that follow
//	too many bodies 503, too slow a one 408  the first of these that waits for the body
//	the idempotency key 409, 410, or the first answer
//	the service's own answer                 byte for byte
//
// A read is streamed; its rows are settled when the service has reported their number. A process call is completed even if its
// client has gone, and its answer is stored before the client gets it, so that a client that retries finds it.
//
// The gateway answers one operation itself: list_requests, from its request log. It passes the same checks.
//
// A refused request reaches no service. Refusals use the envelope, written by package web like all other answers here.
//
// Answers are compressed here and in no service, so that all other code handles uncompressed bytes.
package rest
