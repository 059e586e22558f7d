package market

import (
	"fmt"

	"github.com/google/uuid"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// ordersPerMember is how many orders a member places on average over a plan.
const ordersPerMember = 4

// member generates a customer: each customer orders several times within a plan.
func (m *Market) member(d draw) (id string, contact *ordersv1.Contact) {
	number := d.IntN(max(1, m.plan.Orders/ordersPerMember) + 1)
	who := newDraw(m.plan.Seed, "member", number)
	memberID := uuid.Must(uuid.NewRandomFromReader(who.bytes()))
	name, number010 := m.name(who), phone(who)
	contact = &ordersv1.Contact{OrdererName: name, OrdererPhone: number010, RecipientName: name, RecipientPhone: number010}
	place := who
	if m.share(d, "recipient is someone else") == 1 {
		contact.RecipientName, contact.RecipientPhone = m.name(d), phone(d)
		place = d
	}
	m.address(place, contact)
	contact.ShipMemo = pick(d, m.tables.memos)
	return memberID.String(), contact
}

func (m *Market) name(d draw) string {
	return pick(d, m.tables.surnames) + one(d, m.tables.given)
}

// phone generates a number that no subscriber holds: after 010, real numbers begin with 2 to 9.
func phone(d draw) string { return d.pattern("010-0###-####") }

func (m *Market) address(d draw, contact *ordersv1.Contact) {
	where := pick(d, m.tables.districts)
	contact.Zipcode = fmt.Sprintf("%05d", where.zipFrom+d.IntN(where.zipUpTo-where.zipFrom+1))
	contact.Address1 = fmt.Sprintf("%s %s %d", where.name, one(d, where.roads), 1+d.IntN(420))
	contact.Address2 = d.pattern(pick(d, m.tables.units))
}
