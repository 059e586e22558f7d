package stack

import (
	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
)

// OrdersClock returns a client of the RPC that moves the clocks of sellers in the orders service, at the address.
func OrdersClock(address, token string, dial ...certificate.Dial) ordersv1connect.ClockClient {
	return ordersv1connect.NewClockClient(newHTTPClient(dial), address, bearer(token))
}

// ClaimsClock is OrdersClock for the claims service.
func ClaimsClock(address, token string, dial ...certificate.Dial) claimsv1connect.ClockClient {
	return claimsv1connect.NewClockClient(newHTTPClient(dial), address, bearer(token))
}

// QnAClock is OrdersClock for the qna service.
func QnAClock(address, token string, dial ...certificate.Dial) qnav1connect.ClockClient {
	return qnav1connect.NewClockClient(newHTTPClient(dial), address, bearer(token))
}
