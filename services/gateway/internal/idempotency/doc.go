// Package idempotency makes retried POST requests safe before they reach a service.
//
// The client identifies its operation with the header Idempotency-Key. The gateway takes the seller's key for the duration of
// the request (begin.lua, run in the same command as the limits), forwards it, and records that its service has an answer
// (finish.lua). A request meets one of four states: none, so it runs; another request that holds the key; a record that its
// service has the first answer, so it is forwarded and the service replays that; a record that the answer has expired. States
// lists them.
//
// # The role of Redis
//
// Redis only coordinates: it knows which request holds a key. The owning service writes the key, the fingerprint and its first
// answer in the transaction of the effect. If Redis loses everything in the middle of a request, the second request reaches the
// service, finds that record and gets the first answer. Answers are not kept in Redis, because its memory would grow with their
// size.
//
// The record belongs to its service, which keeps the key forever. That a key was used at another service is known from Redis
// alone: while the answer is replayed, for Config.ExpiredKept after that, and as long as Redis is not emptied.
//
// # Leases
//
// A key is held by a lease of four seconds, which its gateway renews every second while the request runs (renew.lua). So the
// key of a request that takes half a minute stays with it, and that of a gateway that died is free within five seconds. Most
// requests end before the first renewal and cost nothing more. One timer of an instance renews all keys that have been held for
// a second, and runs only while there are any.
//
// A lease is also lost by a gateway that was paused, that cannot reach Redis for four seconds, or when the clock of Redis steps
// forward, while its request may still be under way. The next request then runs beside it. That is a matter of time and not of
// effects: it waits in its service for the transaction of the first one, and gets the answer that it committed, or runs after
// it was rolled back (see inbox). The first gateway finds another token in the entry, or none, and neither renews nor ends what
// is not its own.
//
// A refused request is told to wait a second at first, because most requests end within it, then for the whole lease, so that
// the next call of a client whose gateway has died gets through, and then for as long as the key is old, six seconds at most
// (Begun.RetryAfter). It is charged once for a key and second, however often it is sent, unless its body is large: reading that
// costs more than the refusal.
//
// # Same content
//
// The fingerprint covers the method, the route with the values of its parameters, and the body as a JSON value: member order,
// white space and escapes do not matter, in the body or in the path; values do (section Limits, rule 3). It is computed from
// the matched route, so a path that escapes the name of another route is not mistaken for that route.
package idempotency
