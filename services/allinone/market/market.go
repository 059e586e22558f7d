package market

import (
	"errors"
	"iter"
	"time"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// Plan says what marketplace is made up. Two equal plans give equal orders.
type Plan struct {
	// Seed picks one of many marketplaces.
	Seed uint64
	// Base is the time of the newest order; all else has happened before. It must not lie in the future.
	Base time.Time
	// Orders is how many orders there are, numbered from 0 (the oldest) on.
	Orders int
	// Sellers are those who sell, see the function Sellers. At least one.
	Sellers []Seller
}

// Seller is one shop of the marketplace.
type Seller struct {
	// ID is the seller's UUID.
	ID string
	// Name is the shop's name.
	Name string
	// Share is how often the seller is ordered from, against the shares of the others; at least 1.
	Share int
}

// Placement is one order and how its payment went.
type Placement struct {
	// Order is as PlaceOrders takes it.
	Order *ordersv1.Order
	// Payment is what RecordPayment has to be told after the order was placed: failed or expired.
	// Unspecified: nothing, the order is paid or its payment is still going on.
	Payment ordersv1.PaymentOutcome
}

// Market makes up the orders of a plan. It may be used by several goroutines at once.
type Market struct {
	plan    Plan
	tables  *tables
	sellers weighted[int]
	shops   []shop
}

// New prepares a marketplace: its sellers and what they sell.
func New(plan Plan) (*Market, error) {
	t, err := load()
	if err != nil {
		return nil, err
	}
	if len(plan.Sellers) == 0 {
		return nil, errors.New("a marketplace needs a seller")
	}
	m := &Market{plan: plan, tables: t}
	for number, seller := range plan.Sellers {
		m.sellers.add(number, max(1, seller.Share))
		m.shops = append(m.shops, m.shop(number))
	}
	return m, nil
}

// Batches gives all placements of the plan, oldest first, in slices of at most size. Only the slice
// that was just given is held in memory.
func (m *Market) Batches(size int) iter.Seq[[]Placement] {
	return func(yield func([]Placement) bool) {
		for first := 0; first < m.plan.Orders; first += size {
			if !yield(m.batch(first, min(size, m.plan.Orders-first))) {
				return
			}
		}
	}
}

// batch makes the placements first..first+count-1.
func (m *Market) batch(first, count int) []Placement {
	batch := make([]Placement, count)
	for i := range batch {
		batch[i] = m.Placement(first + i)
	}
	return batch
}

// share draws from one of the small distributions of words/shares.tsv.
func (m *Market) share(d draw, name string) int {
	table, known := m.tables.shares[name]
	if !known {
		panic("market: no share is called " + name)
	}
	return pick(d, table)
}
