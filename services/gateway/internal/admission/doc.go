// Package admission decides in one Redis round trip whether a call is admitted.
//
// One script checks the state of the API key, counts the call in the key's exact window, reserves the rows of a read, and
// begins the idempotency key of a process call. It is assembled from the scripts of the packages that own those rules:
// keystate, ratelimit and idempotency.
//
// # Names
//
// Every key of a seller carries the hash tag {seller}, so that a script's keys are on one node of a cluster, and every script
// declares all keys it uses:
//
//	{seller}:k:KEY     state of an API key
//	{seller}:r:KEY     its window of reads, with their rows
//	{seller}:p:KEY     its window of process calls
//	{seller}:i:DIGEST  one idempotency key of the seller
//	{ADDRESS}:a        the window of an address' calls without a valid key
//
// # Round trips
//
// A single call is sent at once. Calls that arrive during a round trip share the next one, see batcher, and all calls of one
// script share one command, see each.lua: most of a call's cost for Redis and the gateway is not its script. They are decided
// in order, at one time, and fail individually. On a cluster each call is sent separately, because its nodes must not wait for
// each other.
//
// # Retried commands
//
// A broken connection leaves open whether the script ran. The command is sent again with the same nonce and token, and a script
// that finds its nonce in the window, or its token in the idempotency entry, repeats its answer and charges nothing.
//
// A Redis that was paused runs the queued commands when it continues. Each states its caller's deadline, in Redis time as
// estimated from the last answers, and does nothing after that: a call that was answered with 503 is not charged later and does
// not lock its idempotency key. A key that Redis begins at the last moment is released.
//
// # Without Redis
//
// A call that cannot be counted is not admitted: 503 RATE_LIMIT_UNAVAILABLE within the timeout of a command, and at once while
// the breaker is open. The breaker admits one probe every 200 ms, so that calls succeed within a second after Redis is
// available again. It opens only for an unavailable Redis: a reply of any kind shows that Redis is available, a timeout counts
// if nothing at all arrived since the command was sent, and a failure before the command reached Redis, such as an exhausted
// pool, does not count either way. The table classes defines this for each kind of error. Each master of a cluster has its own
// breaker: an unavailable master affects only the sellers whose keys it has, all of which are on one master.
//
// # Redis out of memory
//
// Full is not down. The state of keys and windows is bounded by the number of active keys, so those are written beyond
// maxmemory, and limits and reads keep working. An idempotency key is kept for a day, so the server refuses the script that
// begins one; that is then run in a variant that proceeds for every key that has an entry, and refuses one that has none with
// RATE_LIMIT_UNAVAILABLE, uncharged. Each call tries the first variant again, so that keys are begun as soon as there is
// memory. The flag allow-oom in the first line of a script requires Redis 7.
package admission
