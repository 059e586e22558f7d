// Package store keeps orders in PostgreSQL: it owns the schema, the statements and the locks.
//
// # Reading
//
// A page of the list, and an order of the detail, is one statement. It walks seller_orders, which has a row for each seller
// of an order with everything that a filter can ask for, and joins what the answer needs only for the rows of the page. So
// the cost of a page depends on its size, not on the number of orders; queries/list.sql says which index serves which
// filter. Every statement is restricted to the seller's id: an order of another seller is not found rather than refused.
//
// # Writing
//
// updated_at comes from the seller's clock (see package postgres). A writing transaction does everything that can wait or
// fail first, then ticks the clocks of all sellers of the orders it changed, then writes the rows that carry the time,
// and commits. Every change stamps an order for each of its sellers, because order_status is over the items of all. The entries
// of a batch that share a transaction share one tick (together.go).
//
// A change of a paid order locks the part of its home in orders, reads the items of all its sellers, lets the rules decide, and
// writes what they planned (locked.go, save.go). What a claim holds changes only under the lock of its order. Nearly all orders have
// one seller, whose rows are the only ones that are read and written then.
//
// # What readers conclude
//
// updated_at is never earlier than any change of the order's items, and no change is earlier than the payment. A range of
// paid_at or of a change therefore is also a range of updated_at, and walks end where it ends. The times that the
// marketplace tells may be ahead of our clock by a minute (order.ClockSlack), which all such conclusions leave out.
package store
