package idempotency

import (
	"bytes"
	"fmt"
	"testing"
)

// batch is the body of a batch shipment.
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

// Bodies as clients send them, and those of 4 MiB that cost most: 40 ms at most on the build machine.
func BenchmarkContent(b *testing.B) {
	bodies := worst(4 << 20)
	bodies["one shipment"], bodies["batch of 500"] = batch(1), batch(500)
	for name, text := range bodies {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				contentOf(text)
			}
		})
	}
}
