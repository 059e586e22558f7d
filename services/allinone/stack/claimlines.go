package stack

import (
	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
)

// ClaimLines returns a client of the orders service's RPC for claims, at the address.
func ClaimLines(address, token string, dial ...certificate.Dial) ordersv1connect.ClaimLinesClient {
	return ordersv1connect.NewClaimLinesClient(newHTTPClient(dial), address, bearer(token))
}
