// Package order has the rules of orders and their items: the states of an item and the transitions between them, the status of
// the whole order, the fields that a state shows, the totals of one seller, and the validation of an order that the marketplace
// places.
//
// The rules are tables and pure functions without a database, a request or a clock: stored data and the time are arguments.
// Documents and tests are generated from the same tables, see STATES.md.
//
// Two terms are distinguished throughout. A [State] belongs to one item. A [Status] belongs to a whole order, or to one
// seller's part of it, and is always computed from the states of the items with [RollUp]; a stored status is only a copy.
package order

//go:generate go test -run "TestStates_documentIsCurrent|TestStates_pictureIsCurrent" -update .
