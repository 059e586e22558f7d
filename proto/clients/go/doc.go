// Package sellerapi is the client of the Seller Open API: a seller's orders, claims and product inquiries.
//
//	client, err := sellerapi.New("https://open-api.example.com", os.Getenv("SELLER_API_KEY"))
//	for order, err := range client.Orders(ctx, sellerapi.OrderFilter{ItemStatus: sellerapi.ItemPaid}) { … }
//	result, err := client.ShipOrder(ctx, order.OrderNo, sellerapi.ShipmentRequest{…})
//
// There is one method for each operation of the interface, named after it, and one type for each of its schemas, whose
// documentation is the interface description. The package adds what a client of it has to do anyway, and stands on the
// standard library alone.
//
// # Repeating calls
//
// A call that was not processed, or whose outcome is open, is repeated: after 429, 503 and 409 IDEMPOTENCY_IN_PROGRESS
// when Retry-After says, after 408, other 5xx and broken connections with growing, jittered pauses. All tries of a process
// call carry the same Idempotency-Key, so it has one effect whatever happened on the way. [RetryPolicy] sets the bounds.
// The context ends a call at any moment, in pauses too.
//
// A key is made for each call. A program that must finish a call after a crash chooses the key itself, stores it before
// the call and passes it with [Key]; with [RecoverExpired] such a call is carried on even when the server has forgotten
// its answer, which it does after 24 hours.
//
// # Errors
//
// An answer that refuses is an [*Error]: its [Code], HTTP status, request id and details. Compare codes with errors.Is:
//
//	if errors.Is(err, sellerapi.CodeShipmentStateConflict) { … }
//
// No usable answer at all is an [*UnansweredError]; a process call may have had its effect then, and the error holds the
// key under which it is safe to ask again. [Temporary] tells the failures that may pass by themselves.
//
// # Values that are not known yet
//
// States, codes and other lists of values grow within version 1. They are strings with constants for what is known
// today, so that a value of tomorrow is received and stored like any other.
//
// # Time
//
// Times are time.Time in UTC with microseconds. Filters are sent in UTC, so that no offset has to be escaped.
// [FormatTime] writes the form that the server uses.
//
// # Collecting changes
//
// [Client.SyncOrders], [Client.SyncClaims] and [Client.SyncInquiries] keep a copy of a list: they ask again for what
// changed, with windows that overlap, and hand over every page with the state to store beside it. See [Sync].
package sellerapi
