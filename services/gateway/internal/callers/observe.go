package callers

import (
	"time"

	"sellerapi.dev/pkg/telemetry"
)

// shown is the number of sellers with metrics of their own, and others the label of the sum of the rest.
const (
	shown  = 20
	others = "other"
)

// Observe reports the busiest sellers and the sum of all others at every scrape.
func (b *Board) Observe(tel *telemetry.Telemetry) error {
	return tel.Observe(func(emit telemetry.Emit) {
		tell := func(name string, caller Caller) {
			emit(telemetry.SellerCalls, caller.CallsPerSecond, name)
			emit(telemetry.SellerRows, caller.RowsPerSecond, name)
		}
		busiest, rest := b.Busiest(shown, time.Now())
		for _, caller := range busiest {
			tell(caller.Seller.String(), caller)
		}
		tell(others, rest)
	}, telemetry.SellerCalls, telemetry.SellerRows)
}
