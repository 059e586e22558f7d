// Package postman contains the collection of requests for Postman: every operation with an example of its body, a new
// Idempotency-Key for each call, and variables that the lists fill.
//
// The collection is rendered from the contract by package render. End-to-end tests run it as it is served.
package postman

import (
	_ "embed" // the collection
	"sync"

	"sellerapi.dev/proto/openapi"
)

// Name is the name of the file.
const Name = "seller-open-api.postman_collection.json"

//go:embed seller-open-api.postman_collection.json
var text []byte

// Collection returns the file unchanged, with an example address in it; [openapi.Addressed] replaces that with the address of the
// system.
var Collection = sync.OnceValue(func() openapi.Document { return openapi.NewDocument(text, "application/json") })
