// Package inbox stores the first answer to a request in the transaction of its effect.
//
// A client names an operation with an Idempotency-Key and may send it again: after a time-out, through another gateway, next
// week. The gateway keeps such requests apart while it can; this package decides, by one row that is written in the same
// transaction as the effect. Either both exist or neither, so a retry recovers from a crash at any point (section Limits, rule
// 3).
//
// # What is stored
//
// The answer, status and body byte for byte, stays for the retention, counted from the commit; then it is deleted and the bare
// key answers 410 IDEMPOTENCY_RESULT_EXPIRED. Answers that decide nothing (see apierr.Code.Stored) leave no row, and the key
// may be sent again.
//
// The bare key is the seller, 8 and 5 bytes of the digests of key and content, and the day: 125 bytes at most with all indexes.
// It stays without end, or for Config.KeysKept. What is older is deleted in small portions, by any replica; a key that was
// deleted is like one that was never used, and a call with it has its effect again, so the setting is for installations whose
// clients are known not to send old keys.
//
// Keys are not partitioned by time, although whole partitions would be cheaper to drop: a key must be the only one of its
// seller over all months, and a unique index of PostgreSQL covers one partition. Two calls with one key at the turn of a month
// would not conflict, and every call would have to search all months. New keys reuse the space of deleted ones, because digests
// are random.
//
// # Races
//
// The row is inserted first. A second transaction with the same key waits at the unique index until the first one ends: after a
// commit it reads the stored answer, after a rollback it runs itself. Two different requests under one key are told apart by
// the fingerprint: 409 IDEMPOTENCY_KEY_REUSED.
//
// For a stored refusal, the effects of the attempt are rolled back and the answer is inserted in its own transaction. If
// another request was committed in between, its answer is the first one.
//
// # Lost connections
//
// The outcome of a key is reported only after a confirmed commit, and never with a failure. If the response to a commit is
// lost, its outcome is unknown: the call is answered 503 without an outcome, and the next call with the key finds the row or
// runs.
//
// # Requests in steps
//
// If an effect takes several transactions, the key is taken before the first of them and its answer is stored with the last. In
// between it is bound to its content: the same content continues and converges, other content is refused, also after a crash.
//
// # Tables
//
// Each service creates them in its own schema; see Schema.
package inbox
