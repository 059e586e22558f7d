// Package order holds the rules of orders and their items: which states an item has and which arrows lead between them,
// what the whole order's status is, which fields a state shows, what the amounts of one seller add up to, and when an
// order that the marketplace places is sound.
//
// The rules are tables and pure functions. They know no database, no request and no clock: what is stored comes in as
// values, and so does the time. Documents and tests are made from the same tables, see STATES.md.
//
// Two words are kept apart throughout. A [State] belongs to one item. A [Status] belongs to a whole order, or to one
// seller's part of it, and is computed from the states of the items with [RollUp], never stored on its own authority.
package order

//go:generate go test -run "TestStates_documentIsCurrent|TestStates_pictureIsCurrent" -update .
