// Package market generates a Korean marketplace: sellers with products, customers with addresses, and orders, claims
// and inquiries in every state that a seller can see. The sandbox takes realistic orders from it; `make up`, the benchmarks
// and the tests fill the services with it.
//
// # Promises
//
// An order is a pure function of the plan (seed, base time, sellers, number of orders) and its number. The same plan
// therefore generates byte-equal orders on every machine, in any order and on any number of goroutines, and an
// interrupted fill can be repeated: existing orders are recognised by their order number and left alone. The same
// holds for claims, whose orders are generated for them and numbered separately. words/claims.tsv describes what
// happens to a claim. It is brought about by the calls that a marketplace makes; changes that only the passing of
// time causes follow from the times of those calls' events.
//
// Nothing here is real. Names are drawn from lists of common ones, telephone numbers from the ranges 010-0… that no
// subscriber holds, house numbers at random.
//
// # Where things are
//
// The words and the weights are tables in the folder words, which tables.go reads. order.go, lines.go, story.go,
// people.go and catalogue.go generate orders, claim.go and claimstory.go claims; fill.go, claimfill.go and live.go
// send them. fresh.go generates what the sandbox places one by one.
package market
