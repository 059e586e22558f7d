// Package redis gives services access to Redis: one client for a single server, a cluster or a group watched by sentinels, with
// time-outs that hold, traces and metrics, and scripts that survive a restart of the server. What is stored there belongs to
// the caller.
//
// # Time-outs
//
// A call ends with its context or with Config.ReadTimeout, whichever is earlier. By default the client library ignores the
// context's deadline while it waits for the socket, so that a server that drops packets would block every request for seconds.
//
// A server that disappears without closing its connections, as one whose machine or network is gone, leaves connections on
// which nobody will ever answer. The pool cannot tell them from others, so it closes those that have been unused for
// Config.IdleTimeout; otherwise such a connection would cost a call long after the server is back.
//
// # No automatic retries
//
// The library retries a command when its answer was lost. The scripts that count calls and take locks must not run twice, so a
// single server and a sentinel group get each command at most once; the caller decides. In a cluster the same mechanism follows
// moved slots and cannot be switched off: a script there may run again after a broken connection, and must detect the
// repetition by a token in its arguments.
//
// # Scripts
//
// Open loads the given scripts on every new connection, hence also after a restart of the server. If the server loses them
// otherwise, Script.Run sends the text again.
//
// # Eviction
//
// Limits and locks are not a cache. A server that may evict keys is not ready (see Check): it would silently lose the count of
// a call or the lease of an operation in progress.
package redis
