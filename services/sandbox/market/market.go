package market

import (
	"errors"
	"time"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// Plan describes the marketplace to generate. Equal plans generate equal orders.
type Plan struct {
	// Seed selects one of many marketplaces.
	Seed uint64
	// Base is the time of the newest order; everything else happened before. It must not lie in
	// the future.
	Base time.Time
	// Orders is the number of orders, which are numbered from 0 (the oldest).
	Orders int
	// Sellers are the sellers, see the function Sellers. There must be at least one.
	Sellers []Seller
}

// Seller is one shop of the marketplace.
type Seller struct {
	// ID is the seller's UUID.
	ID string
	// Name is the shop's name.
	Name string
	// Share is the weight with which the seller is ordered from, relative to the other sellers;
	// at least 1.
	Share int
}

// Placement is an order and the outcome of its payment.
type Placement struct {
	// Order is the order as PlaceOrders accepts it.
	Order *ordersv1.Order
	// Payment is the outcome to report with RecordPayment after the order was placed: failed or
	// expired. It is unspecified when there is nothing to report: the order is paid or its
	// payment is still pending.
	Payment ordersv1.PaymentOutcome
}

// Market generates the orders of a plan. It is safe for concurrent use.
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

func (m *Market) batch(first, count int) []Placement {
	batch := make([]Placement, count)
	for i := range batch {
		batch[i] = m.Placement(first + i)
	}
	return batch
}

func (m *Market) share(d draw, name string) int {
	table, known := m.tables.shares[name]
	if !known {
		panic("market: no share is called " + name)
	}
	return pick(d, table)
}
