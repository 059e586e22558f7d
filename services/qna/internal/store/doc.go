// Package store stores inquiries in PostgreSQL: it owns the schema, the statements and the locks.
//
// # Reading
//
// A list page takes one statement. It scans an index of inquiries and joins the answers only for the rows of the page, so its
// cost depends on its size and not on the number of inquiries. Every statement is restricted by seller id: an inquiry of
// another seller is not found rather than refused.
//
// # Writing
//
// Answers and status_changes are append-only, which the service's database rights enforce: a canceled answer remains stored,
// but no inquiry shows it. Every row belongs to a seller and has seller_id first in its key; only inquiry_ids is queried
// without a seller, for the marketplace and operators.
//
// updated_at comes from the seller's clock (see package postgres). A change locks the row of the inquiry first and the clock
// last, which prevents deadlocks and holds the clock for one statement only.
//
// Answer runs in the caller's transaction, which also stores the record of the idempotency key. It must be READ COMMITTED: the
// statement after a lock has to see what was committed during the wait.
package store
