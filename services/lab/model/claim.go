package model

import (
	"slices"
	"strconv"
)

// The types of claims.
const (
	Cancel   = "cancel"
	Return   = "return"
	Exchange = "exchange"
)

// The states of claims.
const (
	PaymentPending   = "payment_pending"
	Requested        = "requested"
	Approved         = "approved"
	Collecting       = "collecting"
	Collected        = "collected"
	Inspecting       = "inspecting"
	Reshipping       = "reshipping"
	RefundProcessing = "refund_processing"
	Completed        = "completed"
	Rejected         = "rejected"
	Withdrawn        = "withdrawn"
	Expired          = "expired"
	Converted        = "converted_to_return"
)

var (
	withoutEffect = set(Rejected, Withdrawn, Expired)
	claimEnded    = set(Completed, Rejected, Withdrawn, Expired, Converted)
	claimable     = map[string]map[string]bool{Cancel: set(Paid, Preparing), Return: set(Delivered), Exchange: set(Delivered)}
	endsIn        = map[string]string{Cancel: Canceled, Return: Returned, Exchange: Exchanged}
	sellerFault   = set("defective", "wrong_delivery", "out_of_stock", "delayed_by_seller")
)

// The actions of the interface.
const (
	Approve     = "approve"
	Reject      = "reject"
	Pickup      = "pickup"
	CollectDone = "collect-done"
	Inspect     = "inspect"
	Reship      = "reship"
)

const (
	pass = "pass"
	fail = "fail"
)

// Claim is a claim on lines of an order.
type Claim struct {
	No, Order    int
	Type, Status string
	Reason       string
	Items        []ClaimItem
	Money        Money
	// Done is the evidence of actions. Registered is a reshipment that waits until the exchange lines can be shipped.
	Done       []Evidence
	Registered *Evidence
	// FrozenBy is the operation from which deadlines are suspended: the freeze, or the conversion that opened a frozen return.
	Frozen     bool
	FrozenBy   int
	FreezeCode string
	// Canceled says that an operator has canceled a registered reshipment, and none has shipped since.
	Canceled bool
	// Later says that the provider pays the main refund only when it is told to, Manual that a person has taken the refund over.
	Later, Manual bool
	RequestedAt   moment
	CompletedAt   moment
	// PaymentFrom and InspectionFrom are the moments from which the periods for the payment and the inspection count.
	PaymentFrom          moment
	InspectionFrom       moment
	ReplacedBy, Replaces int
	// Asked holds the payouts that were requested from the provider.
	Asked []Payout
	// Request is the content of the call that requested the claim, with which repetitions are compared.
	Request string
	// Changes counts the changes, that is, whatever changes updated_at.
	Changes int
}

// ClaimItem is the claimed quantity of a line. Settled is the line that carries it since the claim completed, Exchange the
// exchange line that replaces it.
type ClaimItem struct {
	Line, Settled, Exchange int
	Quantity                int64
	Product, Option, Wanted string
	Goods, Points           int64
	Difference              int64
	// List and Unit are the list price and the unit price of the wanted option; 0 means that of the claimed line.
	List, Unit int64
}

// Evidence records that an action was performed with these values.
type Evidence struct {
	Action, Result string
	Parcel         *Parcel
}

// Payout is a refund that is requested from the payment provider.
type Payout struct {
	Kind          string
	Money, Points int64
}

// IsDue reports whether the claim waits for something that has a deadline.
func (c *Claim) IsDue() bool { return c.Status == PaymentPending || c.InspectionFrom != moment{} }

// Fault returns who is at fault for the claim, according to its reason.
func (c *Claim) Fault() string {
	if sellerFault[c.Reason] {
		return "seller"
	}
	return "buyer"
}

func (c *Claim) clone() *Claim {
	d := *c
	d.Items, d.Done, d.Asked = slices.Clone(c.Items), slices.Clone(c.Done), slices.Clone(c.Asked)
	return &d
}

// available holds the actions that can be newly executed, by state; a cancel has only the first.
var available = map[string][]any{
	Requested: {Approve, Reject}, Approved: {Pickup}, Collecting: {CollectDone}, Collected: {Inspect}, Inspecting: {Reject},
	Reshipping: {Reship},
}

func (c *Claim) actions() []any {
	return append([]any{}, available[c.Status]...)
}

func (c *Claim) performed(action string) *Evidence {
	if c.Registered != nil && c.Registered.Action == action {
		return c.Registered
	}
	for i := range c.Done {
		if c.Done[i].Action == action {
			return &c.Done[i]
		}
	}
	return nil
}

func (e *Evidence) same(other *Evidence) bool {
	return e.Result == other.Result && (e.Parcel == nil) == (other.Parcel == nil) &&
		(e.Parcel == nil || e.Parcel.travels(other.Parcel))
}

// starts reports whether an action can start in the claim's state. An operator may also inspect a claim that is held for review.
func (c *Claim) starts(action string, operator bool) bool {
	if action == Inspect && c.Status == Inspecting {
		return operator
	}
	return slices.Contains(available[c.Status], any(action))
}

func (m *Model) unfit(c *Claim) bool {
	o := m.Orders[c.Order]
	return slices.ContainsFunc(c.Items, func(item ClaimItem) bool {
		line := o.line(item.Line)
		return line.Claim != c.No || !claimable[c.Type][line.State] || item.Quantity > line.Quantity ||
			c.Type == Cancel && line.standsIn()
	})
}

func (m *Model) notReshippable(c *Claim, parcel *Parcel) string {
	o := m.Orders[c.Order]
	var pending, held, same, other, over int
	for _, item := range c.Items {
		switch line := o.line(item.Exchange); {
		case showsParcel[line.State] && line.Parcel.travels(parcel):
			same++
		case showsParcel[line.State]:
			other++
		case rank[line.State] == 0:
			over++
		case line.held():
			held++
		default:
			pending++
		}
	}
	switch {
	case m.unfit(c), over > 0, pending+held > 0 && other > 0:
		return "CLAIM_NOT_RESHIPPABLE"
	case held > 0:
		return shipFailed
	case other > 0 && same == 0:
		return "CLAIM_NOT_RESHIPPABLE"
	default:
		return ""
	}
}

func (m *Model) free(c *Claim) {
	for i := range m.Orders[c.Order].Lines {
		if line := &m.Orders[c.Order].Lines[i]; line.Claim == c.No {
			line.Claim = 0
		}
	}
}

// end moves a claim into a terminal state. The prepaid shortfall of a claim that does not complete is returned.
func (m *Model) end(c *Claim, status string, now moment) {
	c.Status, c.CompletedAt, c.InspectionFrom = status, now, moment{}
	if m.slow {
		m.ending[c.No] = true
	}
	if status != Completed {
		m.returnShortfall(c)
	}
}

func (m *Model) returnShortfall(c *Claim) {
	if c.Money.ShortfallPaid > 0 {
		c.Asked = append(c.Asked, Payout{Kind: "shortfall_return", Money: c.Money.ShortfallPaid})
	}
}

func (m *Model) settle(c *Claim, now moment) {
	o := m.Orders[c.Order]
	for i := range c.Items {
		item := &c.Items[i]
		line := o.line(item.Line)
		line.Claim = 0
		if item.Quantity < line.Quantity {
			line = o.split(item.Line, item.Quantity, c.No)
		}
		line.enter(endsIn[c.Type], now)
		item.Settled = line.Code
	}
}

func (m *Model) refund(c *Claim) {
	m.fix(c)
	if b := c.Money.Breakdown; b != nil && b.Refund() > 0 {
		c.Asked = append(c.Asked, Payout{Kind: "refund", Money: b.Money, Points: b.Points})
	}
}

// payOut decides the refund of a cancel or a return and completes the claim, unless the provider pays later.
func (m *Model) payOut(c *Claim, id int) {
	c.Status, c.InspectionFrom = RefundProcessing, moment{}
	m.refund(c)
	if c.Later && c.Money.Breakdown.Refund() > 0 {
		return
	}
	if m.slow {
		m.paying = append(m.paying, c.No)
		return
	}
	m.complete(c, id)
}

func (m *Model) complete(c *Claim, id int) {
	m.settle(c, at(id, atOrder))
	m.end(c, Completed, at(id, atClaim+strconv.Itoa(c.No)))
}
