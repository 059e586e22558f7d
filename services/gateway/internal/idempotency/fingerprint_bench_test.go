package idempotency

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/services/gateway/internal/worst"
)

// BenchmarkFingerprint compares the fingerprints of the costliest bodies with parsing them. A fingerprint takes at most 4 times
// as long as parsing a batch of that size.
//
//	go test ./internal/idempotency -run '^$' -bench Fingerprint
func BenchmarkFingerprint(b *testing.B) {
	routed := Routed{Method: "POST", Template: "/open/v1/orders/batch/shipment"}
	for _, body := range worst.Bodies(int(operation.LargestBody())) {
		for _, side := range []struct {
			name string
			do   func()
		}{
			{"fingerprint", func() { NewFingerprint(routed, body.Text) }},
			{"parse", func() { parse(body.Text) }},
		} {
			b.Run(body.Name+"/"+side.name, func(b *testing.B) {
				for b.Loop() {
					side.do()
				}
			})
		}
	}
}

func parse(text []byte) {
	decoder := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	for {
		if _, err := decoder.ReadToken(); err != nil {
			return
		}
	}
}
