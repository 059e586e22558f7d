package docs

import (
	"strings"

	"sellerapi.dev/proto/openapi"
)

// Fragment returns the fragment of the page's address that leads to an operation, such as
// #tag/orders/GET/open/v1/orders.
func Fragment(operation openapi.Operation) string {
	return "#tag/" + strings.ToLower(operation.Tag) + "/" + operation.Method + operation.Path
}

// SchemaFragment returns the fragment that leads to a schema, such as #schemas/OrderItem.
func SchemaFragment(schema openapi.Schema) string { return "#schemas/" + schema.Name }
