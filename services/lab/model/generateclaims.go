package model

import (
	"maps"
	"slices"
)

// reasons are the reasons of claims; for half of them the seller is at fault.
var reasons = []string{"change_of_mind", "etc", "defective", "out_of_stock"}

// claimRequest requests a claim on lines that no claim holds, or once in a while on others.
func (g *Generator) claimRequest(m *Model, order int) (Op, bool) {
	o := g.pick(m, order)
	op := Op{
		Kind: RequestClaim, Order: o.No, Type: among(g, Cancel, Return, Return, Exchange, Exchange, Exchange),
		Reason: among(g, reasons...),
	}
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
	op.Claim = number(&g.next.claim)
	g.payment(&op)
	return op, len(op.Wanted) > 0
}

func (g *Generator) payment(op *Op) {
	if g.chance(6) && !g.without[WithLater] {
		op.Later = g.chance(2)
		op.Fails = !op.Later
	}
}

// undoing continues the undoing of an order, since the last step may refund its shipping: the next action on a cancel or a
// return, or a claim for all that is left of a line.
func (g *Generator) undoing(m *Model, order int) (Op, bool) {
	o := g.pick(m, order)
	for _, c := range m.ClaimsOf(o.No) {
		if next := c.actions(); c.Type != Exchange && !c.Frozen && len(next) > 0 && g.chance(2) {
			op := Op{Kind: ActClaim, Claim: c.No}
			op.Action, _ = next[0].(string)
			g.fill(&op)
			return op, true
		}
	}
	for _, line := range o.own() {
		for _, kind := range []string{Cancel, Return} {
			op := Op{Kind: RequestClaim, Order: o.No, Type: kind, Reason: among(g, reasons...)}
			op.Wanted = []Wanted{{Item: line.Code, Quantity: line.Quantity}}
			if !line.held() && unclaimable(op, []*Line{&line}) == "" {
				op.Claim = number(&g.next.claim)
				return op, true
			}
		}
	}
	return Op{}, false
}

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
		return g.refund(c), g.chance(2)
	case c.Frozen && g.chance(2):
		op.Kind = Unfreeze
	default:
		op.Kind = among(g, Withdraw, Hold, Hold, Convert, Convert, Freeze)
	}
	if op.Kind == Freeze {
		op = g.freeze(c)
	}
	if op.Kind == Convert {
		if (c.Type != Exchange || converted[c.Status] == "") && !g.wrong(6) {
			return Op{}, false
		}
		op.Return = number(&g.next.claim)
		g.payment(&op)
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

// freezing freezes a claim that has a deadline or a line to be shipped, tries to ship that line in the meantime, and ends
// the freeze.
func (g *Generator) freezing(m *Model, order int) (Op, bool) {
	var fit []*Claim
	for _, no := range slices.Sorted(maps.Keys(m.Claims)) {
		c := m.Claims[no]
		if (order == 0 || c.Order == order) && (c.IsDue() || c.Status == Reshipping) {
			fit = append(fit, c)
		}
	}
	if len(fit) == 0 {
		return Op{}, false
	}
	c := among(g, fit...)
	switch {
	case !c.Frozen:
		return g.freeze(c), true
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

func (g *Generator) freeze(c *Claim) Op {
	op := Op{Kind: Freeze, Claim: c.No, Code: among(g, "", otherFreeze, "dispute", "fraud_check", "payment_check")}
	if g.wrong(12) {
		op.Code = among(g, "theft", "DISPUTE")
	}
	return op
}

// refund generates what happens to a refund that the provider has not paid at once: its report of success or failure, or an
// operator's retry.
func (g *Generator) refund(c *Claim) Op {
	op := Op{Kind: among(g, RefundPaid, RefundFailed, RefundFailed), Claim: c.No}
	if c.Manual || g.wrong(6) {
		op.Kind = among(g, RetryRefund, RetryRefund, RefundPaid)
	}
	op.Last = op.Kind == RefundFailed && g.chance(2)
	op.Fails = op.Kind == RetryRefund && g.chance(3)
	return op
}

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
