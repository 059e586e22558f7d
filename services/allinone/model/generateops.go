package model

import (
	"encoding/json"
	"maps"
	"slices"
)

// steps are the calls that take a line on, by the state that they begin in.
var steps = map[string]Kind{Paid: Prepare, Preparing: Ship, Shipping: Deliver}

// progress takes lines a step on.
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

// batch ships several orders at once.
func (g *Generator) batch(m *Model, order int) (Op, bool) {
	if order != 0 {
		return Op{}, false
	}
	op := Op{Kind: Batch}
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
	return op, len(op.Entries) > 0
}

// confirmation confirms a purchase.
func (g *Generator) confirmation(m *Model, order int) (Op, bool) {
	o := g.pick(m, order)
	op := Op{Kind: Confirm, Order: o.No, Items: g.items(o, func(l *Line) bool { return l.State == Delivered })}
	if g.chance(3) {
		op.Act = number(&g.next.act)
	}
	return op, len(op.Items) > 0 && g.chance(2)
}

// correction is an operator's word about a line, or the repetition of one.
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

// reasons are those of claims; half of them are the seller's fault.
var reasons = []string{"change_of_mind", "etc", "defective", "out_of_stock"}

// claimRequest asks for a claim on lines that have none, or once in a while on others.
func (g *Generator) claimRequest(m *Model, order int) (Op, bool) {
	o := g.pick(m, order)
	op := Op{Kind: RequestClaim, Order: o.No, Type: among(g, Cancel, Return, Return, Exchange, Exchange), Reason: among(g, reasons...)}
	for _, item := range g.items(o, func(l *Line) bool { return !l.held() && claimable[op.Type][l.State] }) {
		line := o.line(item)
		if line == nil || slices.ContainsFunc(op.Wanted, func(w Wanted) bool { return w.Item == item }) {
			continue
		}
		wanted := Wanted{Item: item, Quantity: 1 + g.random.Int64N(line.Quantity)}
		if g.wrong(25) {
			wanted.Quantity = line.Quantity + 1
		}
		if op.Type == Exchange {
			wanted.Unit = max(0, line.Unit+among[int64](g, -line.Unit, -line.Unit+1, -8000, -500, 0, 0, 900, 15_000))
			wanted.List = among(g, 0, 0, wanted.Unit+2000)
		}
		op.Wanted = append(op.Wanted, wanted)
	}
	op.Claim, op.Later = number(&g.next.claim), g.chance(8) && !g.without[WithLater]
	return op, len(op.Wanted) > 0
}

// liveClaim chooses a claim that has not ended, now and then any.
func (g *Generator) liveClaim(m *Model, order int) *Claim {
	var live []*Claim
	for _, no := range slices.Sorted(maps.Keys(m.Claims)) {
		c := m.Claims[no]
		if (order == 0 || c.Order == order) && (!claimEnded[c.Status] || g.wrong(6)) {
			live = append(live, c)
		}
	}
	if len(live) == 0 {
		return nil
	}
	return among(g, live...)
}

var everyAction = []string{Approve, Reject, Pickup, CollectDone, Inspect, Reship}

// claimAction performs what can be done next on a claim, or something else.
func (g *Generator) claimAction(m *Model, order int) (Op, bool) {
	c := g.liveClaim(m, order)
	if c == nil {
		return Op{}, false
	}
	op := Op{Kind: ActClaim, Claim: c.No, Action: among(g, everyAction...)}
	next := c.actions()
	if len(next) > 0 && !g.wrong(4) {
		op.Action, _ = next[0].(string)
		if len(next) > 1 && g.chance(8) {
			op.Action = Reject
		}
	} else if g.without[WithWrong] {
		return Op{}, false
	}
	if g.chance(10) || c.Status == Inspecting && g.chance(2) {
		op.Kind = Operate
		if c.Status == Inspecting {
			op.Action = Inspect
		}
	}
	g.fill(&op)
	return op, true
}

// fill gives an action its values.
func (g *Generator) fill(op *Op) {
	switch op.Action {
	case Reject:
		op.Memo = text(among(g, "단순 변심 불가", "x"))
		if !g.without[WithOddMemos] && g.chance(8) {
			op.Memo = text(" ")
		}
		if !g.without[WithOddMemos] && g.wrong(12) {
			op.Memo = among(g, nil, text(""))
		}
	case Inspect:
		op.Result = among(g, pass, pass, pass, pass, fail)
		if op.Result == fail {
			op.Memo = text("오염")
		}
		if !g.without[WithOddMemos] && g.wrong(12) {
			op.Result, op.Memo = among(g, fail, fail, fail, "", "maybe"), among(g, nil, text(""), text(" "))
		}
	case Pickup, Reship:
		op.Parcel = g.parcel()
	}
}

// claimEvent lets something happen to a claim that is not its seller's doing.
func (g *Generator) claimEvent(m *Model, order int) (Op, bool) {
	c := g.liveClaim(m, order)
	if c == nil {
		return Op{}, false
	}
	op := Op{Claim: c.No}
	switch {
	case c.Status == PaymentPending && !g.chance(4), c.Money.Shortfall > 0 && g.wrong(6):
		return g.shortfall(c), true
	case c.Status == RefundProcessing:
		op.Kind = RefundPaid
		return op, g.chance(2)
	case c.Frozen && g.chance(2):
		op.Kind = Unfreeze
	default:
		op.Kind = among(g, Withdraw, Hold, Hold, Convert, Convert, Freeze)
	}
	if op.Kind == Convert {
		if (c.Type != Exchange || converted[c.Status] == "") && !g.wrong(6) {
			return Op{}, false
		}
		op.Return, op.Later = number(&g.next.claim), g.chance(8) && !g.without[WithLater]
		if g.wrong(8) {
			op.Return = max(1, c.ReplacedBy)
		}
		if op.Return == op.Claim {
			return Op{}, false
		}
	}
	needed := map[Kind]bool{Hold: c.Status == Collected, Withdraw: c.Status != Requested || g.chance(3), Freeze: g.chance(3)}
	if fits, known := needed[op.Kind]; known && !fits && !g.wrong(8) {
		return Op{}, false
	}
	return op, true
}

// freezing freezes a claim with a deadline or a line to be shipped, tries to ship that line meanwhile, and ends the freeze.
func (g *Generator) freezing(m *Model, order int) (Op, bool) {
	var fit []*Claim
	for _, no := range slices.Sorted(maps.Keys(m.Claims)) {
		c := m.Claims[no]
		hasDeadline := c.Status == PaymentPending || c.InspectionFrom != (moment{})
		if (order == 0 || c.Order == order) && (hasDeadline || c.Status == Reshipping) {
			fit = append(fit, c)
		}
	}
	if len(fit) == 0 {
		return Op{}, false
	}
	c := among(g, fit...)
	switch {
	case !c.Frozen:
		return Op{Kind: Freeze, Claim: c.No}, true
	case c.Status == Reshipping && g.chance(2):
		op := Op{Kind: Ship, Order: c.Order, Parcel: g.parcel()}
		for _, item := range c.Items {
			op.Items = append(op.Items, item.Exchange)
		}
		return op, true
	default:
		return Op{Kind: Unfreeze, Claim: c.No}, true
	}
}

// shortfall pays what a claim needs, or not quite.
func (g *Generator) shortfall(c *Claim) Op {
	op := Op{Kind: PayShortfall, Claim: c.No, Amount: max(1, c.Money.Shortfall), Payment: number(&g.next.payment)}
	if g.wrong(10) {
		op.Amount++
	}
	if g.chance(4) { // one payment may cover several claims
		op.Payment = max(1, op.Payment-1)
	}
	return op
}

// replay sends an operation again under its key, or another one under it.
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

// inquiry asks a question, answers one, or takes an answer back.
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

// rare is what happens now and then.
func (g *Generator) rare(m *Model, order int) (Op, bool) {
	switch g.random.IntN(4) {
	case 0:
		return Op{Kind: SetPolicy, Amount: among[int64](g, 0, 2500, 3000)}, true
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

// requestAgain is the request that a claim came from.
func (m *Model) requestAgain(c *Claim) Op {
	var op Op
	if err := json.Unmarshal([]byte(c.Request), &op); err != nil {
		panic(err) // it was written by String
	}
	return op
}
