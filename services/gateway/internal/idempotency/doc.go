// Package idempotency makes a POST that is sent again harmless before it reaches a service.
//
// The client names its operation with the header Idempotency-Key. The gateway takes the key of the seller for the time
// of the request (begin.lua, run in the same command as the limits), forwards it, and notes that its service has an answer
// (finish.lua). A request can meet four things: nothing, so it runs; a request that still holds the key; the word that its
// service has the first answer, so it is forwarded and the service replays that; the word that the answer has expired. States
// lists them.
//
// # What Redis is trusted with
//
// Only with coordination: whose key it is, and who is at it. The owning service writes the key, the fingerprint and its first
// answer in the transaction of the effect. Should Redis forget everything in the middle of a request, the second request
// reaches the service, meets that record and gets the first answer. Answers are not kept in Redis, whose memory would then
// grow with what services say.
//
// The record is its service's, which knows the key forever. That a key was used at another service is known from Redis alone:
// while the answer is replayed, for Config.GoneKept after, and as long as Redis is not emptied.
//
// # Locks
//
// The lock ends by itself, later than the longest time that a service may take, so that a gateway that died gives the
// key back. A gateway that was only slow finds its token gone and leaves the entry to the new owner.
//
// # Same content
//
// The fingerprint covers the method, the route with the values of its parameters, and the body as a JSON value: member order,
// white space and escapes do not matter, in the body or in the path, values do (section Limits, rule 3). It is of what was
// routed, so a path that spells the name of another route with escapes is not taken for it.
package idempotency
