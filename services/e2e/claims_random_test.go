package e2e

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// rambles is how many orders are taken through random claims, and rambleSteps the maximum number of steps of each.
const (
	rambles     = 2
	rambleSteps = 12
)

// rambler does random operations on an order, of those that customers, operators and its seller may do.
type rambler struct {
	*books
	random *rand.Rand
}

// Whatever is claimed of an order in whatever sequence, and however the claims end: whenever none is in progress, pieces
// and money are conserved, and the order agrees with its claims.
func TestClaims_conservePiecesAndMoney(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for n := range uint64(rambles) {
		d, random := openSession(t), rand.New(rand.NewPCG(seed, n)) //nolint:gosec // a test's random choice, not a secret
		r := &rambler{random: random, books: openBooks(t, d, stacktest.NewOrder(d.seller.ID, stacktest.Lines(
			goods(2+random.Int64N(5), 20_000+random.Int64N(9_000), random.Int64N(3_000)),
			goods(1+random.Int64N(4), 20_000+random.Int64N(9_000), random.Int64N(1_000)),
		)))}
		for step := 0; step < rambleSteps && r.isOpen(); step++ {
			before := r.last.UpdatedAt
			r.step(t)
			order, claims := r.check(t)
			require.Greater(t, order.UpdatedAt, before, "every change advances updated_at")
			r.requireAgreement(t, order, claims)
			r.requireMoney(t, order, claims)
		}
	}
}

func (r *rambler) open() []stacktest.Item {
	var open []stacktest.Item
	for _, item := range r.last.Items {
		if !terminal[item.ItemStatus] {
			open = append(open, item)
		}
	}
	return open
}

func (r *rambler) isOpen() bool { return len(r.open()) > 0 }

func oneOf[T any](random *rand.Rand, choices ...T) T { return choices[random.IntN(len(choices))] }

// step takes one line a step further, or claims pieces of it; a line in shipping can only be delivered.
func (r *rambler) step(t *testing.T) {
	t.Helper()
	item := oneOf(r.random, r.open()...)
	for _, call := range singleCalls {
		if item.ItemStatus == call.from && (item.ItemStatus == "shipping" || r.random.IntN(3) > 0) {
			r.done(t, call.action, r.orderNo, call.body(item.ItemID))
			return
		}
	}
	r.claim(t, item)
}

func (r *rambler) claim(t *testing.T, item stacktest.Item) {
	t.Helper()
	kind := stacktest.Cancel
	if item.ItemStatus == "delivered" {
		kind = oneOf(r.random, stacktest.Return, stacktest.Exchange)
	}
	because := stacktest.Because(oneOf(r.random, "change_of_mind", "defective"))
	claim := r.request(t, kind, item, 1+r.random.Int64N(item.Quantity), because, func(request *claimsv1.RequestClaimRequest) {
		if kind == stacktest.Exchange {
			stacktest.For("네이비 / L", item.UnitPrice+oneOf[int64](r.random, -1_999, 0, 1_999))(request)
		}
	})
	for _, now := range r.order(t, r.orderNo).Items {
		require.Equal(t, now.ItemID == item.ItemID, now.HasActiveClaim, "only the claimed line is held")
	}
	switch chance := r.random.IntN(6); {
	case kind == stacktest.Exchange && chance == 0:
		r.convert(t, claim)
	case kind == stacktest.Cancel && chance == 1:
		r.acted(t, claim.ClaimNo, "reject", rejection())
	case kind != stacktest.Cancel && chance == 2:
		ending := oneOf(r.random, endings...)
		require.Equal(t, ending.status, ending.end(t, r.session, r.advance(t, claim, ending.from).ClaimNo))
	default:
		r.advance(t, claim, "completed")
	}
}

func (r *rambler) convert(t *testing.T, claim stacktest.Claim) {
	t.Helper()
	row := oneOf(r.random, conversions...)
	if row.from == "inspecting" {
		r.HoldInspection(t, r.advance(t, claim, "collected").ClaimNo)
	} else {
		r.advance(t, claim, row.from)
	}
	returnNo, _ := r.ConvertToReturn(t, claim.ClaimNo)
	r.claims = append(r.claims, returnNo)
	r.advance(t, r.client.Claim(t, returnNo), "completed")
}

var ends = map[string]string{stacktest.Cancel: "canceled", stacktest.Return: "returned", stacktest.Exchange: "exchanged"}

func (r *rambler) requireAgreement(t *testing.T, order stacktest.Order, claims []stacktest.Claim) {
	t.Helper()
	lines, replacing, replaced := map[string]stacktest.Item{}, 0, 0
	for _, item := range order.Items {
		require.False(t, item.HasActiveClaim, "no claim is active: %v", item)
		lines[item.ItemID] = item
		if _, isOrigin := r.origins[item.ItemCode]; isOrigin && item.IsExchange {
			replacing++
		}
	}
	for _, claim := range claims {
		require.Empty(t, claim.AvailableActions)
		require.NotNil(t, claim.CompletedAt)
		part := lines[claim.Items[0].ItemID]
		if claim.Status == "completed" {
			require.Equal(t, []any{ends[claim.Type], claim.Items[0].Quantity}, []any{part.ItemStatus, part.Quantity}, "the part that was claimed")
		} else {
			require.Equal(t, claim.Items[0].ItemCode, part.ItemCode, "nothing was split off")
		}
		if claim.Type == stacktest.Exchange && claim.InspectResult != nil && *claim.InspectResult == "pass" {
			replaced++
		}
	}
	require.Equal(t, replaced, replacing, "one new line for each exchange that passed its inspection")
}

// requireMoney checks that every claim pays out what it shows, once, and that what the seller has kept equals the price of
// the goods that the customer has plus the fees.
func (r *rambler) requireMoney(t *testing.T, order stacktest.Order, claims []stacktest.Claim) {
	t.Helper()
	var kept, due int64
	for _, origin := range r.origins {
		if !origin.IsExchange {
			kept += origin.LinePaidAmount
		}
	}
	for _, claim := range claims {
		kept += r.prepaid[claim.ClaimNo]
		for kind, amount := range r.owed(claim) {
			kept -= amount
			stacktest.Await(t, claim.ClaimNo+" pays its "+kind, func() bool { return r.paysOnce(claim.ClaimNo, kind, amount) })
		}
		require.Len(t, r.Payments.Asked(claim.ClaimNo), len(r.owed(claim)))
		if claim.Status == "completed" {
			due += *claim.ClaimShippingFee
		}
	}
	for _, item := range order.Items {
		if !terminal[item.ItemStatus] {
			due += item.LinePaidAmount
		}
	}
	if r.isOpen() {
		require.Equal(t, due, kept, "shipping is kept as long as something was delivered")
		return
	}
	require.Contains(t, []int64{due, due - order.SellerShippingFeePaid}, kept, "shipping goes back at most once")
}

// owed returns what a claim has to pay out, by kind: the refund that it shows, and a prepayment that the claim did not
// use.
func (r *rambler) owed(claim stacktest.Claim) map[string]int64 {
	owed := map[string]int64{}
	if claim.RefundAmount != nil && *claim.RefundAmount > 0 {
		owed["refund"] = *claim.RefundAmount
	}
	if prepaid := r.prepaid[claim.ClaimNo]; prepaid > 0 && claim.Status != "completed" {
		owed["shortfall_return"] = prepaid
	}
	return owed
}

func (r *rambler) paysOnce(claimNo, kind string, amount int64) bool {
	asked, right := 0, 0
	for _, payout := range r.Payments.Asked(claimNo) {
		if payout.Kind == kind {
			asked++
		}
		if payout.Kind == kind && payout.Total() == amount {
			right++
		}
	}
	return asked == 1 && right == 1
}
