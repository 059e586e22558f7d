package idempotency

import (
	"bytes"
	"fmt"
	"testing"

	"sellerapi.dev/services/gateway/internal/worst"
)

func batch(entries int) []byte {
	var text bytes.Buffer
	text.WriteString(`{"items":[`)
	for i := range entries {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, `{"order_no":"20260412-%07d","item_ids":["0190b6f4-7c1e-7a0b-9d51-%012d"],`+
			`"carrier_name":"CJ대한통운","tracking_no":"6%011d"}`, i, i, i)
	}
	text.WriteString("]}")
	return text.Bytes()
}

// BenchmarkContent reads bodies as clients send them, and the most expensive ones of 4 MiB, which gateway-bench compares with a
// bar.
func BenchmarkContent(b *testing.B) {
	bodies := append(worst.Bodies(4<<20), worst.Body{Name: "one shipment", Text: batch(1)},
		worst.Body{Name: "batch of 500", Text: batch(500)})
	for _, body := range bodies {
		b.Run(body.Name, func(b *testing.B) {
			b.SetBytes(int64(len(body.Text)))
			for b.Loop() {
				contentOf(body.Text)
			}
		})
	}
}
