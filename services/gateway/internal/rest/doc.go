// Package rest is the public HTTP border of the gateway: it leads every operation of the operation table through the checks
// in their fixed order and on to its service.
//
//	unknown route 404, wrong method 405      checked before the key: the paths are public
//	the key: missing 401, bad 401            the answer is the same whatever is wrong with a key
//	the key could not be looked up 503       never 401: a client must not throw away a good key
//	revoked or expired by now 401            one round trip to Redis for this and the next three
//	the scope 403                            not charged
//	the limits 429, Redis away 503           a refused call is not charged
//	the idempotency header 422, the body 413 charged, as all that follows is
//	too many bodies 503, too slow a one 408  the first of these that waits for the body
//	the idempotency key 409, 410, or the first answer
//	the service's own answer                 byte for byte
//
// A read is streamed through; its rows are settled when the service has told how many there are. A process call is
// carried to its end even when its client has gone, and its answer is kept before the client gets it, so that a client
// that asks again finds it.
//
// A refused request reaches no service. Refusals are the envelope, written by package web like everything else here.
//
// Answers are compressed at this border and nowhere behind it, so that everything before it deals with plain bytes.
package rest
