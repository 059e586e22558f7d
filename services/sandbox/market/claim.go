package market

import (
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// Claims whose numbers end like this have refunds that do not succeed at once; the claims service's embedded provider must
// be configured with these endings.
const (
	// AccountEnding marks refunds for which the customer has to name a bank account.
	AccountEnding = "-ACCT"
	// FailEnding marks refunds that fail.
	FailEnding = "-FAIL"
)

const (
	// claimOrders is the first order number of orders that are generated for a claim.
	claimOrders = 1 << 40
	// minReturnPrice is the unit price from which a return never costs the customer more than it refunds.
	minReturnPrice = 10_000
	smallPaid      = 2_500
)

// Claim is a claim: the order that it is on, what the customer requests and what becomes of it.
type Claim struct {
	// Order is the order. It was delivered before the customer requested the claim; for a cancel it is paid or being prepared.
	Order *ordersv1.Order
	// Request is the argument of RequestClaim.
	Request *claimsv1.RequestClaimRequest
	// Steps are the actions on the claim, in order.
	Steps []ClaimStep
	// Status is the state that the steps and the passing of time lead to.
	Status string
}

// ClaimStep is an action on a claim.
type ClaimStep struct {
	// Act is a key of claimActs.
	Act string
	// At is when the step happens.
	At time.Time
	// Memo is the note on the step; Parcel is set for a step that sends something.
	Memo   string
	Parcel *ordersv1.Shipment
}

// ClaimStories returns the number of different claim stories. The claims 0 to ClaimStories()-1 belong to one seller and
// show every state of every type, the next ones belong to the next seller.
func (m *Market) ClaimStories() int { return len(m.tables.claims) }

// Claim generates the claim of this number, requested some time before the plan's base.
func (m *Market) Claim(number int) Claim {
	d := newDraw(m.plan.Seed, "claim", number)
	told := m.tables.claims[number%len(m.tables.claims)]
	seller := number / len(m.tables.claims) % len(m.plan.Sellers)
	asked := m.plan.Base.Add(-d.between(told.asked.soonest, told.asked.latest))
	c := m.claimed(d, number, seller, &told, asked)
	c.Request.RequestedAt = timestamppb.New(asked)
	at := asked
	for _, next := range told.steps {
		at = at.Add(d.between(next.soonest, next.latest))
		taken := ClaimStep{Act: next.status, At: at, Memo: m.remark(d, told.kind, next.status)}
		if next.status == pickup || next.status == reship {
			taken.Parcel = m.parcel(d)
		}
		c.Steps = append(c.Steps, taken)
	}
	return c
}

// FreshClaim generates a claim that a customer requests at the given time. number identifies the claim; numbers are shared
// with Claim, so use a separate plan.
func (m *Market) FreshClaim(number int, asked time.Time) Claim {
	d := newDraw(m.plan.Seed, "claim", number)
	fresh := slices.DeleteFunc(slices.Clone(m.tables.claims), func(s claimStory) bool { return !s.isFresh() })
	told := one(d, fresh)
	return m.claimed(d, number, pick(d, m.sellers), &told, asked)
}

func (m *Market) claimed(d draw, number, seller int, told *claimStory, asked time.Time) Claim {
	paidAt, past := m.beforeClaim(d, told.kind, asked)
	order := &ordersv1.Order{
		OrderNo: m.orderNo(claimOrders+number, paidAt), Currency: currency, PaidAt: timestamppb.New(paidAt),
	}
	order.MemberId, order.Contact = m.member(d)
	part := &ordersv1.SellerPart{SellerId: m.plan.Sellers[seller].ID, ShippingFeeBase: shippingFee}
	order.Sellers = []*ordersv1.SellerPart{part}
	request := &claimsv1.RequestClaimRequest{
		ClaimNo: "C" + m.orderNo(claimOrders+number, asked) + told.ending(), SellerId: part.GetSellerId(), OrderNo: order.GetOrderNo(),
		Type: told.kind, ReasonCode: pick(d, m.tables.reasons[told.kind+" "+told.fault]),
	}
	var paid int64
	for range told.lines(d) {
		bought := m.claimable(d, seller, told)
		line := m.lineOf(d, bought, paidAt)
		told.price(d, line)
		line.History, line.Shipment = past.history, past.parcel
		part.Lines = append(part.Lines, line)
		request.Items = append(request.Items, told.item(d, bought, line))
		paid += paidFor(line)
	}
	m.charge(d, part, seller, paid)
	return Claim{Order: order, Request: request, Status: told.state}
}

// ending returns the ending of the claim number that tells the refund provider how to act.
func (s *claimStory) ending() string {
	switch {
	case s.is(account):
		return AccountEnding
	case s.is(failing):
		return FailEnding
	default:
		return ""
	}
}

// beforeClaim generates an order's history from its payment to the request of the claim. For a return or an exchange, the
// order was delivered a few hours to a day before.
func (m *Market) beforeClaim(d draw, kind string, asked time.Time) (time.Time, fate) {
	back := []step{
		{"delivered", 3 * time.Hour, 30 * time.Hour},
		{shipped, 16 * time.Hour, 60 * time.Hour},
		{"preparing", 3 * time.Hour, 30 * time.Hour},
	}
	if kind == cancel {
		back = []step{{"preparing", 20 * time.Minute, 8 * time.Hour}}[:d.IntN(2)]
	}
	var told fate
	at := asked
	for _, before := range back {
		at = at.Add(-d.between(before.soonest, before.latest))
		told.history = append(told.history, &ordersv1.PastChange{ItemStatus: before.status, ChangedAt: timestamppb.New(at)})
	}
	slices.Reverse(told.history)
	if kind != cancel {
		told.parcel = m.parcel(d)
	}
	return at.Add(-d.between(20*time.Minute, 9*time.Hour)), told
}

func (m *Market) claimable(d draw, seller int, told *claimStory) product {
	sorted := slices.SortedFunc(slices.Values(m.shops[seller].products),
		func(a, b product) int { return int(a.unitPrice - b.unitPrice) })
	if told.is(small) {
		return sorted[0]
	}
	enough := slices.DeleteFunc(sorted[:len(sorted)-1:len(sorted)-1], func(p product) bool { return p.unitPrice < minReturnPrice })
	return one(d, append(enough, sorted[len(sorted)-1]))
}

func (s *claimStory) lines(d draw) int {
	if s.is(small) {
		return 1
	}
	return 1 + d.IntN(3)/2
}

// price makes a line fit the story: small goods are a single piece at a reduced price, others sometimes several pieces.
func (s *claimStory) price(d draw, line *ordersv1.Line) {
	if s.is(small) {
		line.Quantity, line.DiscountAmount = 1, max(0, line.GetUnitPrice()-smallPaid)
		return
	}
	if d.IntN(2) == 0 {
		before := line.GetQuantity()
		line.Quantity += int64(1 + d.IntN(3))
		line.DiscountAmount = line.GetDiscountAmount() / before * line.GetQuantity()
	}
}

func (s *claimStory) item(d draw, bought product, line *ordersv1.Line) *claimsv1.ClaimItem {
	item := &claimsv1.ClaimItem{ItemId: line.GetItemId(), Quantity: line.GetQuantity()}
	if d.IntN(2) == 0 {
		item.Quantity = 1 + d.Int64N(line.GetQuantity())
	}
	if s.kind != exchange {
		return item
	}
	item.ExchangeOptionName = bought.of.option(d)
	for range 5 { // another option, where the product has one
		if item.GetExchangeOptionName() != line.GetOptionName() {
			break
		}
		item.ExchangeOptionName = bought.of.option(d)
	}
	step := max(line.GetUnitPrice()*int64(10+d.IntN(20))/100/100*100, 100)
	switch {
	case s.is(dearer):
		item.ExchangeUnitPrice = line.GetUnitPrice() + step
	case s.is(cheaper):
		item.ExchangeUnitPrice = line.GetUnitPrice() - step
	}
	return item
}

func returnNo(claimNo string) string { return strings.Replace(claimNo, "C", "R", 1) }
