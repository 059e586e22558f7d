// Package failover kills the servers under a running system under load, and compares with limits how long its clients
// are affected, and the outcomes of their calls.
//
// Each trial has servers of its own on the loopback: a PostgreSQL with a synchronous standby that is promoted, a Redis with a replica
// that three sentinels promote, and a distributed PostgreSQL of which one worker is away for a while. The system is the real one, with
// its published time-outs; only the limits of keys are wider. Calls come at a steady rate, whether or not those before were answered.
//
// The measure is the longest time without a success, for process calls and for reads. It is compared with what the servers need
// themselves: the time from the kill until a plain client, which asks all the time, has written something to the server that took
// over. Afterwards each process call that failed is made again, with its own key and its own content, until it succeeds, and the
// database is asked how often each call had its effect.
package failover
