// Package store keeps inquiries in PostgreSQL: it owns the schema, the statements and the locks.
//
// # Reading
//
// A page of the list is one statement. It walks an index of inquiries and joins the answers only for the rows of the page,
// so its cost depends on its size and not on the number of inquiries. Every statement is fenced by the seller's id: an
// inquiry of another seller is not found rather than refused.
//
// # Writing
//
// Answers and status_changes are only ever added to, because the service has no right to do anything else: a cancelled answer
// stays, and no inquiry shows it any more. Every row belongs to a seller and has the seller first in its key; inquiry_ids alone
// is asked without one, by the marketplace and by operators.
//
// updated_at comes from the seller's clock (see package postgres). A change takes the row of the inquiry first and the
// clock last, so that no two changes wait for each other and the clock is held for one statement.
//
// Answer works in the transaction of its caller, because the record of the idempotency key belongs into the same one. It
// must be at READ COMMITTED: the statement after a lock has to see what was committed during the wait.
package store
