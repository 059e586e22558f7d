// Package failover kills servers under a running system that is under load, and compares with limits how long its clients are
// affected and what became of their calls.
//
// Each trial has servers of its own on the loopback interface: a PostgreSQL with a synchronous standby that is promoted, a
// Redis with a replica that three sentinels promote, or a distributed PostgreSQL one of whose workers is down for a while. It
// is killed either at any time, or, in a system in which two sellers on different nodes share every order, while it has
// prepared a transaction over both nodes. The system is the real one with its published timeouts; only the rate limits of keys
// are wider. Calls are sent at a steady rate, whether or not earlier ones have been answered.
//
// The measure is the longest time without a success, for process calls and for reads. It is compared with what the servers need
// themselves: the time from the kill until a plain client, which tries continuously, has written to the server that took over.
// Afterwards each failed process call is retried with its own idempotency key and body until it succeeds, and the database is
// queried for how often each call took effect, and whether the parts of every order agree.
package failover
