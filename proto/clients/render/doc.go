// Package render generates the parts of the clients that follow from the contract: operations, codes, lists of values,
// filters, the types of requests and responses, the tables in which the examples store orders, the carrier names that the
// program sellerapi accepts, and the collection of requests for Postman. What requires judgment (when to retry a call, what
// counts as done) is written by hand beside them.
//
// proto/openapi/seller-open-api.yaml is the source: a member that is added there is in all clients after `make generate`.
// Additional facts that the contract does not contain, such as the name of a list of values, are in names.go.
package render

//go:generate go test -run TestFiles_renderedFromContract -update .
