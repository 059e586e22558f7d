package model

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
)

// refusals are the codes with which actions are refused because of a fact outside of the claim.
var refusals = map[string]string{
	Approve: "CLAIM_NOT_APPROVABLE", Reject: "CLAIM_NOT_REJECTABLE", Pickup: "CLAIM_NOT_COLLECTABLE",
	CollectDone: "CLAIM_NOT_COLLECT_DONE", Inspect: "CLAIM_NOT_INSPECTABLE", Reship: "CLAIM_NOT_RESHIPPABLE",
}

const unresolved = "IDEMPOTENCY_UNRESOLVED"

// values returns the values of an action. The reply is the refusal of an invalid body.
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

// operates reports whether an operator acts. The operator's call cannot express a missing memo.
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
			c.Registered = values
			if m.crowded {
				m.registered[c.No] = true
			}
			m.changed(c)
		}
		return m.problem(c, code)
	}
	c.Done, c.Canceled = append(c.Done, *values), false
	m.execute(c, op, values, id)
	m.changed(c)
	return m.acted(c, op, false)
}

// obstacle returns the code with which an action that could start is refused because of a freeze or of a fact outside of
// the claim, or "".
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

// shipFailed is the code of a reshipment that is registered, and is executed when that becomes possible.
const shipFailed = "EXCHANGE_ITEM_SHIP_FAILED"

// resume handles an action on a claim with a registered reshipment: only that reshipment can be continued.
func (m *Model) resume(c *Claim, op Op, values *Evidence, id int) Reply {
	if op.Action != Reship || !c.Registered.same(values) {
		return m.problem(c, unresolved)
	}
	m.goOn(c, id)
	switch {
	case c.Status == Completed && m.registered[c.No]: // by the other call, or by this one, which then looked for a second time
		return m.acted(c, op, Either{true, false})
	case c.Status == Completed:
		return m.acted(c, op, true)
	case c.Registered == nil:
		return m.problem(c, refusals[Reship])
	default:
		return m.problem(c, shipFailed)
	}
}

// goOn executes the registered reshipment or gives it up, unless it still has to wait.
func (m *Model) goOn(c *Claim, id int) {
	registered := c.Registered
	switch m.notReshippable(c, registered.Parcel) {
	case shipFailed:
		return
	case "":
		c.Done, c.Canceled = append(c.Done, *registered), false
		m.reship(c, registered.Parcel, id)
	}
	c.Registered = nil
	m.changed(c)
}

func (m *Model) followUp(id int) {
	for _, no := range slices.Sorted(maps.Keys(m.Claims)) {
		if c := m.Claims[no]; c.Registered != nil {
			m.goOn(c, id)
		}
	}
}

// Waiting returns the claims with a registered reshipment that cannot be executed yet, in the order of their numbers.
func (m *Model) Waiting() []int {
	var waiting []int
	for _, no := range slices.Sorted(maps.Keys(m.Claims)) {
		if m.Claims[no].Registered != nil {
			waiting = append(waiting, no)
		}
	}
	return waiting
}

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

// midway returns a view of a completed claim as it looked shortly before: its refund in progress, or its reshipment registered.
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

func (m *Model) replace(c *Claim, id int) {
	o, points := m.Orders[c.Order], c.inheritedPoints()
	for i := range c.Items {
		item := &c.Items[i]
		old := *o.line(item.Line)
		// The line costs what its option costs. The customer has paid what was left of the old price, and the difference.
		unit, paid := cmp.Or(item.Unit, old.Unit), item.Goods+item.Difference
		added := o.add(Line{
			Product: old.Product, Option: item.Wanted, Quantity: item.Quantity, List: cmp.Or(item.List, old.List), Unit: unit,
			Amount: unit * item.Quantity, Paid: paid, Points: points[i], Exchange: true, Gate: gateOpen,
			Origin: item.Line, ExchangeClaim: c.No,
		})
		added.enter(Paid, at(id, atOrder))
		item.Exchange = added.Code
	}
}

// reship ships those exchange lines that are not shipped yet, and completes the exchange. It has times of its own, because
// a registered reshipment continues after another operation made that possible, and not at the same moment.
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

// acted returns the reply to an action. already is what it says of whether the action was registered or performed before.
func (m *Model) acted(c *Claim, op Op, already any) Reply {
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

// statusOf returns a claim's status as a reply may show it: a cancel or return that is completed may still show
// refund_processing.
func (m *Model) statusOf(c *Claim) any {
	if c.Status == Completed && c.Type != Exchange {
		return Either{Completed, RefundProcessing}
	}
	return c.Status
}

func (m *Model) problem(c *Claim, code string) Reply {
	return refuse(statusNo, code).with(Object{"status": m.statusOf(c), "available_actions": c.actions()})
}

func (m *Model) frozen(c *Claim, code string) Reply {
	reply := m.problem(c, code)
	reply.Problem["reason"], reply.Problem["code"] = "frozen", c.FreezeCode
	return reply
}

// changed counts a change of a claim, which also changes its order.
func (m *Model) changed(c *Claim) {
	c.Changes++
	m.Orders[c.Order].Changes++
}
