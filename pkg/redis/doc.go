// Package redis is the Redis client of the services: one client for a single
// server, a cluster or a Sentinel group, with enforced time-outs, traces and
// metrics, and scripts that survive a restart of the server. The stored data
// belongs to the caller.
//
// # Time-outs
//
// A call ends with its context or with Config.ReadTimeout, whichever is
// earlier. By default the client library ignores the context's deadline while it
// waits for the socket, so that a server that drops packets would block every
// request for seconds.
//
// # No automatic retries
//
// The library tries a command again when its answer was lost. The scripts that
// count calls and take locks must not run twice, so a single server and a
// sentinel group get each command at most once; the caller decides. In a cluster
// the same mechanism follows moved slots and cannot be switched off: a
// script there may run again after a broken connection, and must recognise itself
// by a token it was given.
//
// # Scripts
//
// Open loads the given scripts on every new connection, hence also after a restart
// of the server. If the server loses them otherwise, Script.Run sends the text
// again.
//
// # Eviction
//
// Limits and locks are not a cache. A server that may evict keys is not ready (see
// Check): it would silently lose counted calls and the locks of operations in
// progress.
package redis
