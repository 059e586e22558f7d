package store

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"

	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// BenchmarkPlace places batches of 500 orders of four sellers.
//
//	go test ./internal/store -run '^$' -bench Place$ -benchtime 20x
func BenchmarkPlace(b *testing.B) {
	s, _ := setup(b)
	r, n := rand.New(rand.NewPCG(5, 6)), 0
	sellers := []uuid.UUID{uuid.New(), uuid.New(), uuid.New(), uuid.New()}
	for b.Loop() {
		b.StopTimer()
		placements := make([]order.Placement, 500)
		for i := range placements {
			n++
			placements[i] = ordertest.Random(r, fmt.Sprintf("B-%d", n), sellers)
		}
		b.StartTimer()
		place(b, s, placements...)
	}
}
