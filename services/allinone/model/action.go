package model

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
)

// refusals are the codes of actions that a fact outside of the claim forbids.
var refusals = map[string]string{
	Approve: "CLAIM_NOT_APPROVABLE", Reject: "CLAIM_NOT_REJECTABLE", Pickup: "CLAIM_NOT_COLLECTABLE",
	CollectDone: "CLAIM_NOT_COLLECT_DONE", Inspect: "CLAIM_NOT_INSPECTABLE", Reship: "CLAIM_NOT_RESHIPPABLE",
}

const unresolved = "IDEMPOTENCY_UNRESOLVED"

// values reads what an action says. The reply is the refusal of a body that cannot be one.
func (op Op) values() (*Evidence, Reply) {
	e := &Evidence{Action: op.Action}
	memo := ""
	if op.Memo != nil {
		memo = *op.Memo
	}
	switch op.Action {
	case Reject:
		if memo == "" {
			return nil, refuse(statusInvalid, "VALIDATION_ERROR")
		}
	case Inspect:
		e.Result = op.Result
		switch {
		case op.Result != pass && op.Result != fail, op.Result == fail && op.Memo == nil && !op.operates():
			return nil, refuse(statusInvalid, "VALIDATION_ERROR")
		case op.Result == fail && blank(memo):
			return nil, refuse(statusBad, "CLAIM_MEMO_REQUIRED")
		}
	case Pickup, Reship:
		return op.shipment(e)
	}
	return e, Reply{}
}

// operates reports whether an operator acts. The operator's call knows no absent memo.
func (op Op) operates() bool { return op.Kind == Operate }

func (op Op) shipment(e *Evidence) (*Evidence, Reply) {
	if op.Parcel == nil && !op.operates() {
		return nil, refuse(statusInvalid, "VALIDATION_ERROR")
	}
	said := Parcel{}
	if op.Parcel != nil {
		said = Parcel{Carrier: op.Parcel.Carrier, TrackingNo: op.Parcel.TrackingNo}
	}
	parcel, wrong := said.normal()
	e.Parcel = parcel
	return e, wrong
}

func blank(text string) bool {
	for _, r := range text {
		if r != ' ' {
			return false
		}
	}
	return true
}

// act is an action on a claim, by the seller or on the seller's behalf.
func (m *Model) act(op Op, id int) Reply {
	values, wrong := op.values()
	if !wrong.ok() {
		return wrong
	}
	c := m.Claims[op.Claim]
	if c == nil {
		return refuse(statusMissing, "CLAIM_NOT_FOUND")
	}
	if !c.starts(op.Action, op.operates()) {
		if before := c.performed(op.Action); before != nil && before.same(values) {
			return m.acted(c, op, true)
		}
		return m.problem(c, unresolved)
	}
	if c.Registered != nil {
		return m.resume(c, op, values, id)
	}
	if code := m.obstacle(c, op, values); code != "" {
		if c.Frozen {
			return m.frozen(c, code)
		}
		if code == shipFailed {
			c.Registered, c.Canceled = values, false
			m.changed(c)
		}
		return m.problem(c, code)
	}
	c.Done, c.Canceled = append(c.Done, *values), false
	m.execute(c, op, values, id)
	m.changed(c)
	return m.acted(c, op, false)
}

// obstacle is the code by which a fact outside of the claim, or a freeze, forbids an action that starts here.
func (m *Model) obstacle(c *Claim, op Op, values *Evidence) string {
	frees := op.Action == Reject || values.Result == fail
	switch {
	case c.Frozen:
		return refusals[op.Action]
	case op.Action == Reship:
		return m.notReshippable(c, values.Parcel)
	case !frees && m.unfit(c):
		return refusals[op.Action]
	default:
		return ""
	}
}

// shipFailed is the code of a reshipment that is registered, and done when it can be.
const shipFailed = "EXCHANGE_ITEM_SHIP_FAILED"

// resume is an action on a claim with a registered reshipment: that one, or none.
func (m *Model) resume(c *Claim, op Op, values *Evidence, id int) Reply {
	if op.Action != Reship || !c.Registered.same(values) {
		return m.problem(c, unresolved)
	}
	m.goOn(c, id)
	switch {
	case c.Status == Completed:
		return m.acted(c, op, true)
	case c.Registered == nil:
		return m.problem(c, refusals[Reship])
	default:
		return m.problem(c, shipFailed)
	}
}

// goOn does or gives up what is registered, when it has come to that.
func (m *Model) goOn(c *Claim, id int) {
	registered := c.Registered
	switch m.notReshippable(c, registered.Parcel) {
	case shipFailed:
		return
	case "":
		c.Done = append(c.Done, *registered)
		m.reship(c, registered.Parcel, id)
	}
	c.Registered = nil
	m.changed(c)
}

// followUp lets all that is registered go on.
func (m *Model) followUp(id int) {
	for _, no := range slices.Sorted(maps.Keys(m.Claims)) {
		if c := m.Claims[no]; c.Registered != nil {
			m.goOn(c, id)
		}
	}
}

// Waits reports whether something is registered that cannot be done now.
func (m *Model) Waits() bool {
	for _, c := range m.Claims {
		if c.Registered != nil {
			return true
		}
	}
	return false
}

// execute does what an action is for.
func (m *Model) execute(c *Claim, op Op, values *Evidence, id int) {
	now := at(id, atClaim)
	switch {
	case op.Action == Approve && c.Type != Cancel:
		c.Status = Approved
	case op.Action == Approve:
		m.payOut(c, id)
	case op.Action == Reject, values.Result == fail:
		m.free(c)
		m.end(c, Rejected, now)
	case op.Action == Pickup:
		c.Status = Collecting
	case op.Action == CollectDone:
		c.Status = Collected
		if c.Type == Return {
			c.InspectionFrom = now
		}
	case op.Action == Inspect && c.Type == Return:
		m.payOut(c, id)
	case op.Action == Inspect:
		m.replace(c, id)
		c.Status = Reshipping
		m.refund(c)
	case op.Action == Reship:
		m.reship(c, values.Parcel, id)
	}
}

// midway is a completed claim as it looks shortly before: its refund is on its way, or its reshipment is registered.
func (m *Model) midway(c *Claim) Object {
	before := c.clone()
	before.Status, before.CompletedAt = RefundProcessing, moment{}
	if c.Type == Exchange {
		before.Status = Reshipping
	}
	for i := range before.Items {
		before.Items[i].Settled = 0
	}
	return m.claimView(before)
}

// replace adds the lines that stand in for what an exchange takes back.
func (m *Model) replace(c *Claim, id int) {
	o, points := m.Orders[c.Order], c.inheritedPoints()
	for i := range c.Items {
		item := &c.Items[i]
		old := *o.line(item.Line)
		discount := share(old.Amount, item.Quantity, old.Quantity) - share(old.Paid, item.Quantity, old.Quantity)
		paid := item.Goods + item.Difference
		added := o.add(Line{
			Product: old.Product, Option: item.Wanted, Quantity: item.Quantity, List: cmp.Or(item.List, old.List), Unit: (paid + discount) / item.Quantity,
			Amount: paid + discount, Paid: paid, Points: points[i], Exchange: true, Gate: gateOpen,
			Origin: item.Line, ExchangeClaim: c.No,
		})
		added.enter(Paid, at(id, atOrder))
		item.Exchange = added.Code
	}
}

// reship ships what is not shipped yet of the lines that stand in, and completes the exchange. Its times are its own: what was registered
// goes on when another operation has made way for it, and not in the same moment.
func (m *Model) reship(c *Claim, parcel *Parcel, id int) {
	o, no := m.Orders[c.Order], strconv.Itoa(c.No)
	shipped := at(id, atReshipped+no)
	for _, item := range c.Items {
		line := o.line(item.Exchange)
		if !showsParcel[line.State] {
			line.Parcel = parcel
			line.enter(Shipping, shipped)
		}
		line.Gate = gateEnded
	}
	m.settle(c, shipped)
	for _, item := range c.Items {
		o.line(item.Exchange).Origin = item.Settled
	}
	m.end(c, Completed, at(id, atClaim+no))
}

// acted is the answer of an action.
func (m *Model) acted(c *Claim, op Op, already bool) Reply {
	if op.operates() {
		return m.standing(c, "status")
	}
	no := c.No
	return m.told(func(m *Model) []Object {
		views := []Object{m.ClaimView(no)}
		if c := m.Claims[no]; c.Status == Completed && (c.Type != Exchange || m.crowded) {
			views = append(views, m.midway(c))
		}
		for _, view := range views {
			view["already_done"] = already
		}
		return views
	})
}

// statusOf is a claim's status as it may be told: one that is paid may still be on its way there.
func (m *Model) statusOf(c *Claim) any {
	if c.Status == Completed && c.Type != Exchange {
		return Either{Completed, RefundProcessing}
	}
	return c.Status
}

// problem is a refusal with what a client may know of the claim.
func (m *Model) problem(c *Claim, code string) Reply {
	return refuse(statusNo, code).with(Object{"status": m.statusOf(c), "available_actions": c.actions()})
}

// frozen is the refusal of an action on a frozen claim.
func (m *Model) frozen(c *Claim, code string) Reply {
	reply := m.problem(c, code)
	reply.Problem["reason"], reply.Problem["code"] = "frozen", c.FreezeCode
	return reply
}

// changed notes a change of a claim, which moves its order as well.
func (m *Model) changed(c *Claim) {
	c.Changes++
	m.Orders[c.Order].Changes++
}
