// Package sweep runs scheduled background work. Each piece of work is a row with an indexed column for its due time; a sweep
// finds due rows and processes each.
//
// # No second queue
//
// The row is the only record of the work: there is no job beside it that could be lost, late or left over. What sets a deadline
// writes a column, in its own transaction, and sends no notification. A job queue whose scheduler belongs to an elected leader
// would be slower after a crash: a leader's lease outlives a killed process by a quarter of a minute and more, while here
// nothing that is due waits longer than an interval.
//
// # No leader
//
// Every replica sweeps. Two of them may find the same row: the work takes its own lock and finds that it is already done, or it
// claims the row first with `for update skip locked` or an update of its due time. A killed process leaves the row unchanged,
// or due again soon, for the next sweep of any process.
//
// # Failures
//
// A failed item stays due. A run stops after a few failures, because an unavailable dependency affects all items, and processes
// items in random order, so that an item that always fails does not block the others. Each item has a time limit, a panic is
// the failure of one item, and the loop continues at the next interval after any error.
package sweep
