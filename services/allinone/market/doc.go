// Package market makes up a Korean marketplace: sellers with products, customers with addresses, orders, claims and
// inquiries in every state that a seller can meet. `make up`, the benchmarks and the tests fill the services with it.
//
// # Promises
//
// An order is a pure function of the plan (seed, base time, sellers, number of orders) and its number.
// The same plan therefore gives byte-equal orders on every machine, in whatever order or on however many
// goroutines they are made, and a fill that broke off can be repeated: what is there already is
// recognised by its order number and left alone. The same holds for claims, whose orders are made up for
// them and numbered apart. What happens to a claim is told in words/claims.tsv, and is brought about by the
// calls that a marketplace makes; what only time brings is brought by the times at which those things happened.
//
// Nothing here is real. Names are drawn from lists of common ones, telephone numbers from the ranges
// 010-0… that no subscriber holds, house numbers by chance.
//
// # Where things are
//
// The words and the weights are tables in the folder words, tables.go reads them. order.go, lines.go,
// story.go, people.go and catalogue.go make orders, claim.go and claimstory.go claims; fill.go, claimfill.go and
// live.go send them.
package market
