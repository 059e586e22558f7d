package model

func (m *Model) request(op Op, id int) Reply {
	if !op.wellFormed() {
		return refuse(statusInvalid, "VALIDATION_ERROR")
	}
	if before := m.Claims[op.Claim]; before != nil {
		if before.Request != op.content() {
			return refuse(statusNo, "IDEMPOTENCY_KEY_REUSED")
		}
		return m.requested(before)
	}
	items := make([]int, 0, len(op.Wanted))
	for _, wanted := range op.Wanted {
		items = append(items, wanted.Item)
	}
	o, lines, missing := m.find(op.Order, items, false)
	if !missing.ok() {
		return missing
	}
	if code := unclaimable(op, lines); code != "" {
		return refuse(statusNo, code)
	}
	c := &Claim{
		No: op.Claim, Order: op.Order, Type: op.Type, Status: Requested, Reason: op.Reason, Later: op.Later || op.Fails,
		RequestedAt: at(id, atClaim), PaymentFrom: at(id, atClaim), Request: op.content(),
	}
	for i, line := range lines {
		line.Claim = c.No
		c.Items = append(c.Items, op.Wanted[i].of(line, op.Type))
	}
	for _, item := range c.Items {
		c.Money.Difference += item.Difference
	}
	m.quote(c, o, m.Policy[CurrencyOf(o.No)])
	if c.Money.Shortfall > 0 {
		c.Status = PaymentPending
	}
	m.Claims[c.No] = c
	m.changed(c)
	return m.requested(c)
}

// wellFormed reports whether a request is valid regardless of the state.
func (op Op) wellFormed() bool {
	seen := map[int]bool{}
	for _, wanted := range op.Wanted {
		if wanted.Quantity < 1 || seen[wanted.Item] {
			return false
		}
		seen[wanted.Item] = true
	}
	return len(op.Wanted) > 0
}

func unclaimable(op Op, lines []*Line) string {
	for _, line := range lines {
		if line.held() {
			return "ORDER_ITEM_HAS_ACTIVE_CLAIM"
		}
	}
	for i, line := range lines {
		standsIn := op.Type == Cancel && line.standsIn()
		if !claimable[op.Type][line.State] || standsIn || op.Wanted[i].Quantity > line.Quantity {
			return "CLAIM_NOT_APPROVABLE"
		}
	}
	return ""
}

func (w Wanted) of(line *Line, kind string) ClaimItem {
	item := ClaimItem{
		Line: line.Code, Quantity: w.Quantity, Product: line.Product, Option: line.Option,
		Goods: share(line.Paid, w.Quantity, line.Quantity), Points: share(line.Points, w.Quantity, line.Quantity),
	}
	if kind == Exchange {
		item.Wanted, item.List, item.Unit = WantedOption, w.List, w.Unit
		item.Difference = difference(line.Unit, w.Unit, w.Quantity, item.Goods)
	}
	return item
}

func (m *Model) requested(c *Claim) Reply {
	no := c.No
	return m.told(func(m *Model) []Object {
		return []Object{{"status": m.statusOf(m.Claims[no]), "shortfall_amount": m.Claims[no].Money.Shortfall}}
	})
}

// converted holds the state in which a return begins that replaces an exchange, by the state of
// the exchange.
var converted = map[string]string{
	Requested: Requested, Approved: Approved, Collecting: Collecting, Collected: Collected, Inspecting: Collected,
	Reshipping: RefundProcessing,
}

func (m *Model) convert(op Op, id int) Reply {
	c := m.Claims[op.Claim]
	if c == nil {
		return refuse(statusMissing, "CLAIM_NOT_FOUND")
	}
	if c.Status == Converted && c.ReplacedBy == op.Return {
		return m.standing(m.Claims[op.Return], "return_status")
	}
	if c.Type != Exchange || converted[c.Status] == "" || c.Frozen && c.Status == Reshipping || c.Registered != nil {
		return refuse(statusNo, unresolved)
	}
	if m.unfit(c) || m.replacementShipped(c) {
		return refuse(statusNo, unresolved)
	}
	if m.Claims[op.Return] != nil {
		return refuse(statusNo, "IDEMPOTENCY_KEY_REUSED")
	}
	next := m.successor(c, op, id)
	m.Claims[next.No] = next
	m.handOver(c, next, id)
	if next.Status == RefundProcessing {
		m.payOut(next, id)
	}
	m.changed(c)
	next.Changes++
	return m.standing(next, "return_status")
}

func (m *Model) replacementShipped(c *Claim) bool {
	for _, item := range c.Items {
		if line := m.Orders[c.Order].line(item.Exchange); line != nil && showsParcel[line.State] {
			return true
		}
	}
	return false
}

func (m *Model) successor(c *Claim, op Op, id int) *Claim {
	next := &Claim{
		No: op.Return, Order: c.Order, Type: Return, Status: converted[c.Status], Reason: c.Reason, Frozen: c.Frozen, FrozenBy: id,
		FreezeCode: c.FreezeCode,
		Later:      op.Later || op.Fails, RequestedAt: at(id, atReturn), Replaces: c.No, Done: append([]Evidence(nil), c.Done...),
		Request: op.content(),
	}
	for _, item := range c.Items {
		item.Wanted, item.Difference, item.List, item.Unit, item.Exchange = "", 0, 0, 0, 0
		next.Items = append(next.Items, item)
	}
	oneWay := c.Money.Fee / 2
	m.quote(next, m.Orders[c.Order], oneWay)
	if b := c.Money.Breakdown; b != nil {
		next.Money.Before, next.Money.BeforePoints = b.Refund(), b.Points
	}
	// No payment is awaited any more, so no more is charged than the refund can pay: the way back, then the way out.
	next.Money.Fee, next.Money.Shortfall = min(next.Money.Fee, next.goods()-next.Money.Before), 0
	next.Money.WayOut = next.Money.WayOut && next.Money.Fee > oneWay
	if next.Status == Collected {
		next.InspectionFrom = at(id, atReturnCollected)
	}
	return next
}

// handOver gives the lines to the return, cancels the exchange lines, and ends the exchange.
func (m *Model) handOver(c, next *Claim, id int) {
	o := m.Orders[c.Order]
	for _, item := range c.Items {
		o.line(item.Line).Claim = next.No
		if line := o.line(item.Exchange); line != nil {
			m.close(ItemID{o.No, line.Code}, at(id, atOrder))
		}
	}
	c.ReplacedBy = next.No
	if !m.slow {
		m.cancelClosed()
	}
	m.end(c, Converted, at(id, atClaim))
}

// close closes a replacement that is to be canceled.
func (m *Model) close(id ItemID, now moment) {
	line := m.Orders[id.Order].line(id.Item)
	line.Gate = gateClosed
	m.closing = append(m.closing, closing{id, now})
	if m.crowded {
		m.closed[id] = line.State
	}
}

// cancelClosed cancels the replacements that are closed.
func (m *Model) cancelClosed() {
	for _, closed := range m.closing {
		line := m.Orders[closed.item.Order].line(closed.item.Item)
		line.Gate = gateEnded
		if claimable[Cancel][line.State] {
			line.enter(Canceled, closed.at)
		}
	}
	m.closing = nil
}
