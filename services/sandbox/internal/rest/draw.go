package rest

import (
	"encoding/binary"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/services/sandbox/market"
)

// operator is the name under which the sandbox acts as an operator.
const operator = "sandbox"

// plannedOrders is how many orders a plan of the market has, by which it knows how many customers there are.
const plannedOrders = 400

// partner returns the id of the simulated second seller of mixed orders. It is derived, so that no key of it exists.
func partner(seller uuid.UUID) uuid.UUID {
	return uuid.NewSHA1(seller, []byte("partner in the sandbox"))
}

// marketOf returns the market of a seller, in which a seller always sells the same, with the partner if the order is mixed.
func marketOf(seller uuid.UUID, mixed bool) (*market.Market, error) {
	plan := market.Plan{
		Seed: binary.BigEndian.Uint64(seller[:8]) ^ binary.BigEndian.Uint64(seller[8:]), Base: time.Now(), Orders: plannedOrders,
		Sellers: []market.Seller{{ID: seller.String(), Share: 1}},
	}
	if mixed {
		plan.Sellers = append(plan.Sellers, market.Seller{ID: partner(seller).String(), Share: 1})
	}
	return market.New(plan)
}

// numbers is how many different numbers of orders and claims there are: those of the plan end where those of claims begin.
const numbers = 1 << 40

func anyNumber() int { return int(rand.Int64N(numbers)) } //nolint:gosec // made-up data, not a secret

// now returns a time of a payment, in the precision in which times are stored.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
