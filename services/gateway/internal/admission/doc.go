// Package admission decides in one Redis round trip whether a call may go on.
//
// One script looks at the state of the API key, counts the call in the key's exact window, reserves the rows of a read,
// and begins the idempotency key of a process call. It is put together from the scripts of the packages that own those
// rules: keystate, ratelimit and idempotency.
//
// # Names
//
// Every key of a seller carries the hash tag {seller}, so that a script's keys live on one node of a cluster, and every
// script names all keys it uses:
//
//	{seller}:k:KEY     state of an API key
//	{seller}:r:KEY     its window of reads, with their rows
//	{seller}:p:KEY     its window of process calls
//	{seller}:i:DIGEST  one idempotency key of the seller
//	{ADDRESS}:a        the window of an address' calls without a good key
//
// # Round trips
//
// A call that comes alone is sent at once. Those that come while a round trip is under way share the next one, see batcher, and
// all of one script are one command, see each.lua: most of what a call costs Redis and gateway is not its script. They are
// decided one after the other, at one time, and what fails does so alone. On a cluster each goes by itself, because
// its nodes must not wait for each other.
//
// # A command that is sent again
//
// A connection that breaks leaves open whether the script ran. The command is sent again with the same nonce and token,
// and a script that finds its nonce in the window, or its token in the idempotency entry, answers as it did and charges
// nothing.
//
// A Redis that was halted runs the commands that waited for it when it goes on. Each says how long its caller waits, in
// Redis time as the last answer showed it, and does nothing after that: a call that was answered 503 is not charged later
// and does not hold its idempotency key. What Redis still begins in the last moment is let go.
//
// # Without Redis
//
// What can not be counted is not admitted: 503 RATE_LIMIT_UNAVAILABLE within the time-out of a command, and at once
// while the breaker is open. The breaker lets one probe pass every fifth of a second, so that calls go on within a
// second of Redis being back. It opens for a Redis that is away and for nothing else: a reply of whatever kind says that it
// is there, a time-out counts when nothing at all came since the command was sent, and what did not get as far as Redis,
// such as a full pool, counts neither way. The table classes says so for each kind of error. Each master of a cluster has a
// breaker of its own: one that is away is felt by the sellers whose keys it has, which are all on one master, and by nobody else.
//
// # A Redis without memory
//
// Full is not down. State of keys and windows are as large as there are active keys, so those are written beyond maxmemory,
// and limits and reads go on. An idempotency key is remembered for a day, so the script that begins one is refused by the
// server; it is then run again in a form that goes on with every key that has an entry, and refuses one that has none with
// RATE_LIMIT_UNAVAILABLE, uncharged. Each call tries the first form again, so that keys are begun as soon as there is memory.
// The flag allow-oom in the first line of a script is of Redis 7.
package admission
