// Package sweep does what has come due. Everything that a service does by itself is a row with a column that says when, and
// an index on it; a sweep finds such rows and does each.
//
// # No second queue
//
// The row is the only record of the work: there is no job beside it that could be lost, late or left over. What sets a
// deadline writes a column, in its own transaction, and sends no notification. A job queue whose scheduler belongs to an elected
// leader would be slower after a crash: a leader's lease outlives a killed process by a quarter of a minute and more, while
// here nothing that is due waits longer than an interval.
//
// # No leader
//
// Every replica sweeps. Two of them may find the same row: the work takes a lock of its own and finds out that it is done, or
// takes the row first with `for update skip locked` or an update of its due time. A process that is killed leaves the row as
// it was, or due again soon, for the next sweep of any process.
//
// # Failures
//
// An item that fails stays due. A sweep stops after a few failures, because what is away is away for all items, and takes them
// in random order, so that an item which fails for a reason of its own does not stand in the way of the others. Each item has
// limited time, a panic is the failure of one item, and whatever goes wrong, the loop goes on at the next interval.
package sweep
