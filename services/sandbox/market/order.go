package market

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

const (
	currency = "KRW"
	// longestPending is how long a payment may stay open (a bank transfer); afterwards it has
	// expired.
	longestPending = 72 * time.Hour
	// codeLetters omits letters that are easily misread. It has 32 letters, so a letter holds
	// five bits.
	codeLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	codeLength  = 10
	codeBits    = 5 * codeLength
)

// korea is the time zone of the marketplace, in which its days begin. Its offset did not change
// within the span of a plan, so no time zone data is needed.
var korea = time.FixedZone("KST", 9*60*60)

// Placement generates the order of this number, 0 <= number < Plan.Orders.
func (m *Market) Placement(number int) Placement {
	d := newDraw(m.plan.Seed, "order", number)
	at := m.orderedAt(d, number)
	payment := ordersv1.PaymentOutcome(m.share(d, "payment")) //nolint:gosec // a row of our own table
	if payment == ordersv1.PaymentOutcome_PAYMENT_OUTCOME_UNSPECIFIED && m.plan.Base.Sub(at) > longestPending {
		payment = ordersv1.PaymentOutcome_PAYMENT_OUTCOME_EXPIRED
	}
	if payment == ordersv1.PaymentOutcome_PAYMENT_OUTCOME_PAID {
		return Placement{Order: m.order(d, number, at, m.plan.Base, true)}
	}
	return Placement{Order: m.order(d, number, at, m.plan.Base, false), Payment: payment}
}

// Arrival generates a new order that is paid at the given time and is in its initial state.
// number identifies the arrival; the order numbers are shared with the plan, so use a separate
// plan.
func (m *Market) Arrival(number int, paidAt time.Time) *ordersv1.Order {
	return m.order(newDraw(m.plan.Seed, "order", number), number, paidAt, paidAt, true)
}

// order generates an order. The lines of a paid order have progressed as far as is possible by now.
func (m *Market) order(d draw, number int, at, now time.Time, paid bool) *ordersv1.Order {
	made := &ordersv1.Order{OrderNo: m.orderNo(number, at), Currency: currency}
	if paid {
		made.PaidAt = timestamppb.New(at)
	}
	made.MemberId, made.Contact = m.member(d)
	for _, seller := range m.sellersOf(d) {
		made.Sellers = append(made.Sellers, m.part(d, seller, made.PaidAt, at, now))
	}
	return made
}

// sellersOf draws the sellers of an order, each at most once; about a tenth of the orders have
// several.
func (m *Market) sellersOf(d draw) []int {
	wanted := min(m.share(d, "sellers of an order"), len(m.plan.Sellers))
	var chosen []int
	for taken := map[int]bool{}; len(chosen) < wanted; {
		if seller := pick(d, m.sellers); !taken[seller] {
			taken[seller] = true
			chosen = append(chosen, seller)
		}
	}
	return chosen
}

// orderNo returns the Korean date and ten letters that no other order of the plan has.
// Multiplying by an odd number and folding the upper half into the lower one are both
// reversible, so different numbers give different letters, and orders of different seeds almost
// never collide.
func (m *Market) orderNo(number int, at time.Time) string {
	const mask = 1<<codeBits - 1
	code := uint64(number) * (scatter(m.plan.Seed)<<1 | 1) & mask //nolint:gosec // numbers start at 0
	code ^= code >> (codeBits / 2)
	code = (code + scatter(m.plan.Seed+1)) & mask
	letters := make([]byte, codeLength)
	for i := range letters {
		letters[i] = codeLetters[code&31]
		code >>= 5
	}
	return at.In(korea).Format("20060102-") + string(letters)
}

// orderedAt distributes the orders over the ages of words/ages.tsv, oldest first, and those
// older than a day over the hours at which people shop.
func (m *Market) orderedAt(d draw, number int) time.Time {
	ages := &m.tables.ages
	younger := float64(m.plan.Orders-1-number) + d.Float64()
	point := younger / float64(m.plan.Orders) * float64(ages.total())
	row := ages.find(min(int(point), ages.total()-1))
	band, front := ages.rows[row], float64(ages.before(row))
	into := (point - front) / (float64(ages.upTo[row]) - front)
	age := band.from + time.Duration(into*float64(band.upTo-band.from))
	at := m.plan.Base.Add(-age)
	if age >= 24*time.Hour {
		at = m.shoppingHour(d, at)
	}
	return at.UTC().Truncate(time.Microsecond)
}

func (m *Market) shoppingHour(d draw, at time.Time) time.Time {
	year, month, day := at.In(korea).Date()
	hour := time.Duration(m.share(d, "hour of the day")) * time.Hour
	return time.Date(year, month, day, 0, 0, 0, 0, korea).Add(hour + d.between(0, time.Hour))
}
