// Package intake implements the calls of the marketplace core, which places orders and reports their payments. It converts
// messages to the types of package order, validates them, and leaves the rest to the store.
//
// Every call may be repeated: it returns the first outcome and changes nothing. A call that is refused has changed nothing
// either.
package intake

import "sellerapi.dev/services/orders/internal/store"

// Service implements orders.v1.Intake.
type Service struct{ Orders *store.Store }
