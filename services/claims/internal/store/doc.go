// Package store keeps claims in PostgreSQL: it owns the schema, the statements and the locks, and contains no rules.
//
// # Reading
//
// A page of the list is one statement. It scans the index of the filter that is set and joins items and evidence only for the
// rows of the page, so its cost depends on the page size and not on the number of claims. Every statement is restricted to the
// seller's id: a claim of another seller is not found rather than refused. The settings of [Settings] apply to the pool:
// filters are planned for their values, because a range of a day and one of a year need different indexes.
//
// # Writing
//
// A change is one transaction: lock the claims of one seller's part of the order, load, apply the rules, write the result and
// the steps that follow, take the seller's clock, and write the claim last. So updated_at grows in commit order (see package
// postgres), the clock is locked for one statement, and changes do not block each other otherwise. All claims of a part of an
// order are locked because the last one that undoes it refunds the shipping.
//
// # Background work
//
// All due work is found through an indexed column: steps.next_at, refunds.next_at, claims.inspection_due_at and payment_due_at.
// There is no other record of it, so no notification is needed when one of them changes.
//
// ledger, history and refund_ids are append-only: the service's database role cannot update or delete their rows.
//
// # Sellers
//
// Every row belongs to a seller, and every statement for a seller names the seller's id, so that all rows of a seller can live
// on one node of a distributed database. Two directories are the exceptions: claim_numbers keeps claim numbers unique over all
// sellers, and refund_ids maps a refund to its claim. A transaction that takes a number does so first, and then locks claims,
// steps and the clock in this order.
package store
