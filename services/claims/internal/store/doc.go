// Package store keeps claims in PostgreSQL: it owns the schema, the statements and the locks, and knows no rule.
//
// # Reading
//
// A page of the list is one statement. It walks the index of the filter that is set and joins items and evidence only for
// the rows of the page, so its cost depends on its size and not on the number of claims. Every statement is fenced by the
// seller's id: a claim of another seller is not found rather than refused. The settings of [Settings] belong to the pool:
// filters are planned for their values, because a range of a day and one of a year need different indexes.
//
// # Writing
//
// A change is one transaction: hold the claims of one seller's part of the order, load, let the rules decide, write what
// they say and the steps that are to follow, take the seller's clock, and write the claim last. So updated_at grows in the
// order of commits (see package postgres), the clock is held for one statement, and no two changes wait for each other.
// All claims of a part of an order are held because the last one that undoes it gets the shipping back.
//
// # What is due
//
// Everything that happens by itself is a column with an index: steps.next_at, refunds.next_at, claims.inspection_due_at and
// payment_due_at. There is no other record of it, so nothing has to be told when one of them changes.
//
// ledger, history and refund_ids are only ever added to; a service has no right to do anything else with them.
//
// # Sellers
//
// Every table belongs to sellers, and every statement of a seller names it, so that all rows of a seller can live on one node of a
// distributed database. Two directories are the exceptions: claim_numbers keeps the numbers of claims unique over all sellers,
// refund_ids knows the claim of a refund. A transaction that takes a number does that first, and then holds claims, steps and
// the clock in this order.
package store
