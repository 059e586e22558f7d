package model

import (
	"encoding/json"
	"maps"
	"slices"
)

var steps = map[string]Kind{Paid: Prepare, Preparing: Ship, Shipping: Deliver}

func (g *Generator) progress(m *Model, order int) (Op, bool) {
	o := g.pick(m, order)
	op := Op{Kind: among(g, Prepare, Ship, Ship, Deliver), Order: o.No}
	op.Items = g.items(o, func(l *Line) bool {
		return !l.held() && (steps[l.State] == op.Kind || op.Kind == Ship && l.State == Paid)
	})
	if op.Kind == Ship {
		op.Parcel = g.parcel()
	}
	return op, len(op.Items) > 0 || g.wrong(20)
}

func (g *Generator) batch(m *Model, order int) (Op, bool) {
	if order != 0 {
		return Op{}, false
	}
	op := Op{Kind: among(g, Batch, Batch, Check)}
	named := map[[2]int]bool{}
	for range 1 + g.random.IntN(3) {
		o := g.pick(m, 0)
		entry := Entry{Order: o.No, Parcel: among(g, parcels...)}
		if wrong := among(g, wrongParcels[1:]...); g.wrong(8) {
			entry.Parcel = *wrong
		}
		if g.wrong(15) {
			entry.Order = 99
		}
		for _, item := range g.items(o, func(l *Line) bool { return !l.held() && (l.State == Paid || l.State == Preparing) }) {
			if at := [2]int{entry.Order, item}; !named[at] || !g.without[WithRepeats] {
				named[at] = true
				entry.Items = append(entry.Items, item)
			}
		}
		if len(entry.Items) > 0 {
			op.Entries = append(op.Entries, entry)
		}
	}
	if len(op.Entries) == 0 {
		return Op{}, false
	}
	if op.Kind == Check {
		g.plan = []Op{{Kind: Batch, Entries: op.Entries}}
	}
	return op, true
}

// parcelCorrection corrects the parcel of lines that are on their way. Mostly the seller may do that; sometimes the permission
// comes or goes.
func (g *Generator) parcelCorrection(m *Model, order int) (Op, bool) {
	if !m.MayCorrect && g.chance(3) || g.chance(12) {
		return Op{Kind: Permit, Permitted: !m.MayCorrect || g.chance(4)}, true
	}
	o := g.pick(m, order)
	op := Op{Kind: CorrectParcel, Order: o.No, Parcel: g.parcel()}
	op.Items = g.items(o, func(l *Line) bool { return l.State == Shipping }) // claimed or not
	return op, len(op.Items) > 0
}

func (g *Generator) confirmation(m *Model, order int) (Op, bool) {
	o := g.pick(m, order)
	op := Op{Kind: Confirm, Order: o.No, Items: g.items(o, func(l *Line) bool { return l.State == Delivered })}
	if g.chance(3) {
		op.Act = number(&g.next.act)
	}
	return op, len(op.Items) > 0 && g.chance(2)
}

func (g *Generator) correction(m *Model, order int) (Op, bool) {
	if len(g.corrected) > 0 && g.chance(6) {
		again := among(g, g.corrected...)
		if g.wrong(3) {
			again.To = among(g, Paid, Delivered)
		}
		return again, true
	}
	o := g.pick(m, order)
	line := o.Lines[g.random.IntN(len(o.Lines))]
	op := Op{Kind: Correct, Order: o.No, Items: []int{line.Code}, To: among(g, Paid, Preparing, Shipping, Delivered, Delivered)}
	if g.wrong(15) {
		op.To = among(g, Confirmed, Canceled)
	}
	if showsParcel[op.To] && line.Parcel == nil || g.wrong(6) {
		parcel := among(g, parcels...)
		op.Parcel = &parcel
	}
	op.Act = number(&g.next.act)
	g.corrected = append(g.corrected, op)
	return op, true
}

// replay repeats an operation with its key, or sends another operation with
// that key.
func (g *Generator) replay(m *Model, order int) (Op, bool) {
	if order != 0 || len(g.past) == 0 || g.without[WithReplays] {
		return Op{}, false
	}
	again := g.past[len(g.past)-1-g.random.IntN(min(len(g.past), 10))]
	if g.chance(3) {
		other := among(g, g.past...)
		other.Key = again.Key
		again = other
	}
	return again, m != nil
}

func (g *Generator) inquiry(m *Model, order int) (Op, bool) {
	if len(m.Inquiries) == 0 || order == 0 && g.chance(5) {
		return Op{Kind: PostInquiry, Inquiry: number(&g.next.inquiry)}, true
	}
	op := Op{Kind: among(g, Answer, Answer, CancelAnswer), Inquiry: 1 + g.random.IntN(g.next.inquiry)}
	if op.Kind == Answer {
		op.Content = among(g, "네, 됩니다", "아니요", "네, 됩니다")
		if g.wrong(10) {
			op.Content = among(g, "", "  ")
		}
		if g.wrong(15) {
			op.Inquiry = among(g, -1, -2)
		}
	}
	return op, true
}

func (g *Generator) rare(m *Model, order int) (Op, bool) {
	switch g.random.IntN(4) {
	case 0:
		return among(g, Op{Kind: SetPolicy}, Op{Kind: SetPolicy, Amount: 2500}, Op{Kind: SetPolicy, Amount: 3000},
			Op{Kind: SetPolicy, Amount: 450, Currency: "USD"}), true
	case 1:
		return Op{Kind: Forget, Order: 1 + g.random.IntN(g.next.order)}, true
	case 2:
		return Op{Kind: Pay, Order: 1 + g.random.IntN(g.next.order), To: among(g, Paid, Paid, "failed", "expired")}, true
	default:
		for _, no := range slices.Sorted(maps.Keys(m.Claims)) {
			if c := m.Claims[no]; order == 0 && c.Replaces == 0 && g.chance(2) {
				return m.requestAgain(c), true
			}
		}
		return Op{}, false
	}
}

func (m *Model) requestAgain(c *Claim) Op {
	var op Op
	if err := json.Unmarshal([]byte(c.Request), &op); err != nil {
		panic(err) // it was written by String
	}
	return op
}
