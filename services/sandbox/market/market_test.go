package market

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var base = time.Date(2026, 3, 2, 1, 30, 0, 0, time.UTC)

func setup(t *testing.T, orders, sellers int) *Market {
	t.Helper()
	shops, err := Sellers(7, sellers)
	require.NoError(t, err)
	m, err := New(Plan{Seed: 7, Base: base, Orders: orders, Sellers: shops})
	require.NoError(t, err)
	return m
}

// Only while this holds can benchmarks of two versions be compared, and a fill be repeated.
func TestOrders_samePlanEqualBytes(t *testing.T) {
	t.Parallel()
	sum := sha256.New()
	for batch := range setup(t, 2000, 12).Batches(300) {
		for _, placed := range batch {
			bytes, err := proto.MarshalOptions{Deterministic: true}.Marshal(placed.Order)
			require.NoError(t, err)
			sum.Write(append(bytes, byte(placed.Payment)))
		}
	}
	golden := filepath.Join("testdata", "orders.sha256")
	got := hex.EncodeToString(sum.Sum(nil)) + "\n"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// No two orders and no two lines share an identifier.
func TestOrders_identifiersUnique(t *testing.T) {
	t.Parallel()
	numbers, items := map[string]bool{}, map[string]bool{}
	shape := regexp.MustCompile(`^\d{8}-[0-9A-Z]{10}$`)
	for batch := range setup(t, 20000, 12).Batches(5000) {
		for _, placed := range batch {
			require.Regexp(t, shape, placed.Order.GetOrderNo())
			require.False(t, numbers[placed.Order.GetOrderNo()], placed.Order.GetOrderNo())
			numbers[placed.Order.GetOrderNo()] = true
			for _, line := range linesOf(placed.Order) {
				require.False(t, items[line.GetItemId()])
				items[line.GetItemId()] = true
			}
		}
	}
}

// Another seed generates another marketplace, whose orders can be added to a database that
// holds the first.
func TestOrders_otherSeedOtherNumbers(t *testing.T) {
	t.Parallel()
	shops, err := Sellers(7, 3)
	require.NoError(t, err)
	first := setup(t, 3000, 3)
	second, err := New(Plan{Seed: 8, Base: base, Orders: 3000, Sellers: shops})
	require.NoError(t, err)
	seen := map[string]bool{}
	for number := range 3000 {
		seen[first.Placement(number).Order.GetOrderNo()] = true
	}
	for number := range 3000 {
		require.False(t, seen[second.Placement(number).Order.GetOrderNo()])
	}
}

// More sellers do not change the first ones.
func TestSellers_moreKeepTheFirst(t *testing.T) {
	t.Parallel()
	few, err := Sellers(7, 3)
	require.NoError(t, err)
	many, err := Sellers(7, 50)
	require.NoError(t, err)
	require.Equal(t, few, many[:3])
}

// A marketplace without sellers is refused.
func TestNew_withoutSellers(t *testing.T) {
	t.Parallel()
	_, err := New(Plan{Seed: 7, Base: base, Orders: 1})
	require.ErrorContains(t, err, "needs a seller")
}

// An order that arrives now is paid now, and has no history yet.
func TestArrival_paidNowAndUntouched(t *testing.T) {
	t.Parallel()
	at := base.Add(time.Hour)
	order := setup(t, 10, 3).Arrival(3, at)
	require.True(t, order.GetPaidAt().AsTime().Equal(at))
	for _, line := range linesOf(order) {
		require.Empty(t, line.GetHistory())
		require.Nil(t, line.GetShipment())
	}
}

func linesOf(order *ordersv1.Order) []*ordersv1.Line {
	var lines []*ordersv1.Line
	for _, part := range order.GetSellers() {
		lines = append(lines, part.GetLines()...)
	}
	return lines
}

// Batches yields all placements of the plan, oldest first, in slices of at most size. Only the
// current slice is held in memory.
func (m *Market) Batches(size int) iter.Seq[[]Placement] {
	return func(yield func([]Placement) bool) {
		for first := 0; first < m.plan.Orders; first += size {
			if !yield(m.batch(first, min(size, m.plan.Orders-first))) {
				return
			}
		}
	}
}
