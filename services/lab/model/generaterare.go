package model

import (
	"maps"
	"slices"
)

func (g *Generator) deadline(m *Model, order int) (Op, bool) {
	for _, no := range slices.Sorted(maps.Keys(m.Claims)) {
		c := m.Claims[no]
		if order == 0 && c.IsDue() && g.chance(2) {
			return Op{Kind: PassDeadline, Claim: c.No}, true
		}
	}
	return Op{}, false
}

func (g *Generator) refunding(m *Model, order int) (Op, bool) {
	for _, no := range slices.Sorted(maps.Keys(m.Claims)) {
		c := m.Claims[no]
		if (order == 0 || c.Order == order) && c.askedFor("refund") && (c.Later || g.wrong(20)) && g.chance(2) {
			return g.refund(c), true
		}
	}
	return Op{}, false
}

// registering leads to a reshipment that is registered and cannot ship, because a claim holds the exchange line, and cancels it.
func (g *Generator) registering(m *Model, order int) (Op, bool) {
	for _, no := range slices.Sorted(maps.Keys(m.Claims)) {
		c := m.Claims[no]
		if order != 0 && c.Order != order || c.Type != Exchange || c.Frozen && c.Registered == nil {
			continue
		}
		if c.Status == Reshipping || c.Canceled || g.wrong(300) {
			return g.toRegister(c, m.Orders[c.Order])
		}
	}
	return Op{}, false
}

func (g *Generator) toRegister(c *Claim, o *Order) (Op, bool) {
	line := o.line(c.Items[0].Exchange)
	isPending := line != nil && !showsParcel[line.State] && rank[line.State] > 0
	switch {
	case c.Registered != nil && g.chance(3):
		return Op{Kind: ActClaim, Claim: c.No, Action: Reship, Parcel: c.Registered.Parcel}, true
	case c.Registered != nil, c.Status != Reshipping, c.Canceled && g.chance(2), g.wrong(20):
		return Op{Kind: CancelReship, Claim: c.No}, true
	case line.held() && isPending:
		parcel := among(g, parcels...)
		return Op{Kind: ActClaim, Claim: c.No, Action: Reship, Parcel: &parcel}, true
	case isPending:
		return g.registration(c, o, line), true
	default:
		return Op{}, false
	}
}

// registration plans the steps after which a reshipment is registered: the exchange line is marked as delivered by mistake,
// is claimed, and is corrected back. It returns the first of these operations and puts the others into the plan.
func (g *Generator) registration(c *Claim, o *Order, line *Line) Op {
	parcel := among(g, parcels...)
	cancels := Op{Kind: CancelReship, Claim: c.No}
	request := Op{Kind: RequestClaim, Order: o.No, Type: Return, Reason: "defective", Claim: number(&g.next.claim)}
	request.Wanted = []Wanted{{Item: line.Code, Quantity: line.Quantity}}
	g.plan = []Op{
		request, g.corrects(o, line, among(g, Paid, Preparing)), {Kind: ActClaim, Claim: c.No, Action: Reship, Parcel: &parcel},
	}
	g.plan = append(g.plan, among(g, nil, []Op{cancels}, []Op{cancels}, []Op{cancels, cancels})...)
	return g.corrects(o, line, Delivered)
}

func (g *Generator) corrects(o *Order, line *Line, to string) Op {
	op := Op{Kind: Correct, Order: o.No, Items: []int{line.Code}, To: to, Act: number(&g.next.act)}
	if showsParcel[to] {
		parcel := among(g, parcels...)
		op.Parcel = &parcel
	}
	g.corrected = append(g.corrected, op)
	return op
}
