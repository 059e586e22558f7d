// Package render writes the parts of the clients that follow from the contract: operations, codes, lists of values, filters,
// the types of requests and answers, the tables in which the examples keep orders, the names of carriers that the program
// sellerapi reads, and the collection of requests for Postman. What needs thought (when to repeat a call, what counts as done)
// is written by hand beside them.
//
// proto/openapi/seller-open-api.yaml is the source: a member that is added there is in all clients after `make generate`.
// What the contract does not say, such as the name of a list of values, is said in names.go.
package render

//go:generate go test -run TestFiles_renderedFromContract -update .
