// Package requestlog keeps what became of each call with a known key, so that sellers and support find out why a call was
// refused. A key is known if it exists, be it revoked or expired.
//
// # Off the path of the call
//
// A call that was answered is put into a queue in memory, and nothing else. Once a second the queue is written with COPY, in one
// transaction for each batch. When PostgreSQL does not accept a batch, it stays in the queue; when the queue is full, or has a
// thousand calls of one seller, further calls are dropped and counted. So nothing waits for the log, and a seller that floods
// the gateway with refused calls crowds out no other.
//
// # Written once
//
// An entry has its id before it is written, so a batch whose commit was lost is written again without harm: the violation of the
// primary key says that it is there. At a graceful stop the queue is written once more, after the last call has been answered.
// What a killed gateway had in its queue, a second of calls, is lost. Calls answered are calls written and calls dropped.
//
// # No bodies, no personal data
//
// Entries have no bodies of requests or answers. Of a query they have documented values, of error_data the members listed in
// this package, without texts and without anything that quotes the request; of User-Agent the products. The record that a path
// names is kept if it was found or has the form of a number that begins with a day: a person's data that a client writes in that
// form, too.
//
// # Days
//
// The table has a partition for each day in UTC. Every gateway makes the next ones in advance, and drops those that are too old,
// or, beyond a number of bytes, the oldest.
package requestlog
