// Package sellerapi is the client of the Seller Open API: a seller's orders, claims and product inquiries.
//
//	client, err := sellerapi.New("https://open-api.example.com", os.Getenv("SELLER_API_KEY"))
//	for order, err := range client.Orders(ctx, sellerapi.OrderFilter{ItemStatus: sellerapi.ItemPaid}) { … }
//	result, err := client.ShipOrder(ctx, order.OrderNo, sellerapi.ShipmentRequest{…})
//
// There is one method for each operation of the API, named after it, and one type for each of its schemas, whose
// documentation is the interface description. The package adds what every client of the API needs, and depends on the
// standard library alone.
//
// # Retries
//
// A call that was not processed, or whose outcome is unknown, is retried: after 429, 503 and 409 IDEMPOTENCY_IN_PROGRESS
// when Retry-After says, after 408, other 5xx and broken connections with growing, jittered pauses. All attempts of a
// process call carry the same Idempotency-Key, so that it takes effect once, whatever fails on the way. [RetryPolicy] sets
// the limits. The context ends a call at any moment, also in pauses.
//
// A key is generated for each call. A program that must finish a call after a crash chooses the key itself, stores it
// before the call and passes it with [Key]; with [RecoverExpired] such a call can be finished even when the server no
// longer has its response, which it keeps for 24 hours.
//
// # Errors
//
// A response that refuses the call is an [*Error]: its [Code], HTTP status, request id and details. Compare codes with
// errors.Is:
//
//	if errors.Is(err, sellerapi.CodeShipmentStateConflict) { … }
//
// No usable response at all is an [*UnansweredError]; a process call may have had its effect then, and the error contains
// the key under which it is safe to retry. [Temporary] reports whether a failure may pass by itself.
//
// # Unknown values
//
// States, codes and other lists of values grow within version 1. They are strings with constants for the values that are
// known today, so that later values can be received and stored like any other.
//
// # Time
//
// Times are time.Time in UTC with microseconds. Filters are sent in UTC, so that no offset has to be escaped. [FormatTime]
// formats a time as the server does.
//
// # Collecting changes
//
// [Client.SyncOrders], [Client.SyncClaims] and [Client.SyncInquiries] keep a copy of a list: they read what has changed,
// oldest change first, and pass on every page with the position to store with it. See [Sync].
package sellerapi
