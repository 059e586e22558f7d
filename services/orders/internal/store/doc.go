// Package store stores orders in PostgreSQL: it owns the schema, the statements and the locks.
//
// # Reading
//
// A page of the list, and an order of the detail, is one statement; after an empty page of changes or payments in a range,
// another one counts their entries. It finds the orders within an index that has everything a filter can ask for, and joins what
// the answer needs only for those of the page. So the cost of a page is bounded, whatever the number of orders; queries/list.sql
// explains how. Every statement is restricted to the seller's id: an order of another seller is not found rather than refused.
//
// # Writing
//
// updated_at comes from the seller's clock (see package postgres). A writing transaction first does everything that can block
// or fail, then ticks the clocks of all sellers of the orders it changed, then writes the rows with the new time, and commits.
// Every change updates updated_at of an order for each of its sellers, because order_status depends on the items of all
// sellers. The entries of a batch that share a transaction share one tick (together.go).
//
// A change of a paid order locks the part of its home in orders, reads the items of all its sellers, applies the rules, and
// writes the resulting plan (locked.go, save.go). A claim's hold changes only under the lock of its order. Nearly all orders
// have one seller; then only that seller's rows are read and written.
//
// # Invariants that readers rely on
//
// updated_at is never earlier than any change of the order's items, and no change is earlier than the payment. A range of
// paid_at or of a change therefore also bounds updated_at, and a walk stops at that bound. Times from the marketplace
// that are ahead of our clock are stored as ours (order.NotAfter); all such bounds still allow for the minute
// (order.ClockSlack) by which rows of earlier versions can be ahead.
//
// After the database's clock was set back the clocks of an order's sellers may differ, and a change may have the time of any of
// them. It advances all of them at least to that time, so that updated_at covers the change for each seller.
package store
