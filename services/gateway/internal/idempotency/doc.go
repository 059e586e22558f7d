// Package idempotency makes retried POST requests safe before they reach a service.
//
// The client identifies its operation with the header Idempotency-Key. The gateway locks the seller's key for the duration of the
// request (begin.lua, run in the same command as the limits), forwards it, and records that its service has an answer
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
// The record belongs to its service, which keeps the key forever. That a key was used at another service is known from Redis alone:
// while the answer is replayed, for Config.GoneKept after that, and as long as Redis is not emptied.
//
// # Locks
//
// The lock expires, later than the longest time that a service may take, so that a crashed gateway releases the key. A gateway
// that was only slow no longer finds its token and leaves the entry to the new owner.
//
// # Same content
//
// The fingerprint covers the method, the route with the values of its parameters, and the body as a JSON value: member order,
// white space and escapes do not matter, in the body or in the path; values do (section Limits, rule 3). It is computed from the
// matched route, so a path that escapes the name of another route is not mistaken for that route.
package idempotency
