// Package linestest is a small orders service for tests: it keeps lines in memory, answers the contract that claims calls
// as the real one does, over real HTTP, and fails on demand. What the real service does beside the contract it does not. That it
// answers as the real one is not taken on trust: both pass the suite of claimlinestest.
package linestest

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
)

// Line is a line of an order.
type Line struct {
	ID      uuid.UUID
	Seller  uuid.UUID
	OrderNo string
	Seq     int
	// Status is one of the item states.
	Status              string
	Quantity, UnitPrice int64
	Paid                int64
	// Points is the part of Paid that was paid with points.
	Points      int64
	OptionName  string
	DeliveredAt *time.Time
	// ClaimNo is the claim that holds the line.
	ClaimNo    string
	IsExchange bool
	// Open says of an exchange line that its seller can ship it.
	Open bool
	// SplitFrom is the line that a split-off line comes from.
	SplitFrom           uuid.UUID
	Carrier, TrackingNo string
}

// Code is the item code.
func (l Line) Code() string { return fmt.Sprintf("%s-%02d", l.OrderNo, l.Seq) }

// shipped reports whether a line travels or has arrived, whatever has become of it since.
func (l *Line) shipped() bool {
	return slices.Contains([]string{"shipping", "delivered", "confirmed", "returned", "exchanged"}, l.Status)
}

// ended reports whether a line is in its last state without the goods being the customer's.
func (l *Line) ended() bool {
	return slices.Contains([]string{"canceled", "returned", "exchanged"}, l.Status)
}

// shippingFee is what every seller of every order got for shipping.
const shippingFee = 3000

// Orders is the model. Its methods are safe for concurrent use.
type Orders struct {
	mu    sync.Mutex
	lines []*Line
	holds map[string]*Hold
	paid  map[string]time.Time
	// points are what was used on a seller's part, by order and seller.
	points  map[string]int64
	touches map[string]int
	changes map[string]int64
	Faults
}

// New returns a service without orders.
func New() *Orders {
	return &Orders{
		holds: map[string]*Hold{}, paid: map[string]time.Time{}, points: map[string]int64{}, touches: map[string]int{}, changes: map[string]int64{},
	}
}

// Place adds lines of one seller to an order, one for each quantity, in the given state, at 5,000 a piece, and 3,000 for shipping,
// paid and delivered at this moment; it returns the ids of the lines.
func (o *Orders) Place(seller uuid.UUID, orderNo, status string, quantities ...int64) []uuid.UUID {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := time.Now().Truncate(time.Microsecond)
	o.paid[orderNo] = now
	ids := make([]uuid.UUID, 0, len(quantities))
	for _, quantity := range quantities {
		line := &Line{
			ID: uuid.New(), Seller: seller, OrderNo: orderNo, Seq: o.nextSeq(orderNo), Status: status,
			Quantity: quantity, UnitPrice: 5000, Paid: 5000 * quantity, OptionName: "빨강 / M",
		}
		if status == "delivered" {
			line.DeliveredAt = &now
		}
		o.lines = append(o.lines, line)
		ids = append(ids, line.ID)
	}
	return ids
}

// Spend lets points have been used on a seller's part of an order, whose lines all cost something. It is called once.
func (o *Orders) Spend(seller uuid.UUID, orderNo string, points int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.points[orderNo+seller.String()] = points
	var total int64
	var last *Line
	for _, line := range o.lines {
		if line.OrderNo == orderNo && line.Seller == seller {
			total, last = total+line.Paid, line
		}
	}
	points = min(points, total)
	rest := points
	for _, line := range o.lines {
		if points > 0 && line.OrderNo == orderNo && line.Seller == seller {
			line.Points = points * line.Paid / total
			rest -= line.Points
		}
	}
	if points > 0 {
		last.Points += rest
	}
}

// Backdate lets an order have been paid, and its delivered lines have arrived, at these times. With the zero time the service
// does not tell when it was paid, as older ones do not.
func (o *Orders) Backdate(orderNo string, paid, delivered time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.paid[orderNo] = paid
	for _, line := range o.lines {
		if line.OrderNo == orderNo && line.DeliveredAt != nil {
			line.DeliveredAt = &delivered
		}
	}
}

// Correct changes a line in whatever way, also in one that the real service would not let anybody.
func (o *Orders) Correct(id uuid.UUID, change func(*Line)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	line := o.line(id)
	change(line)
	o.changes[line.OrderNo]++
}

// CorrectAsOperator is Correct unless the line is sealed: ORDER_ITEM_HAS_ACTIVE_CLAIM.
func (o *Orders) CorrectAsOperator(id uuid.UUID, change func(*Line)) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	line := o.line(id)
	if hold := o.holds[line.ClaimNo]; hold != nil && hold.State == "active" && hold.Sealed {
		return apierr.OrderItemHasActiveClaim.With(map[string]any{"claim_no": line.ClaimNo})
	}
	change(line)
	o.changes[line.OrderNo]++
	return nil
}

// Lines returns copies of the lines of an order.
func (o *Orders) Lines(orderNo string) []Line {
	o.mu.Lock()
	defer o.mu.Unlock()
	var found []Line
	for _, line := range o.lines {
		if line.OrderNo == orderNo {
			found = append(found, *line)
		}
	}
	return found
}

// Hold returns a copy of what a claim holds; the zero value when there is nothing.
func (o *Orders) Hold(claimNo string) Hold {
	o.mu.Lock()
	defer o.mu.Unlock()
	hold := o.holds[claimNo]
	if hold == nil {
		return Hold{}
	}
	copied := *hold
	copied.Lines = slices.Clone(hold.Lines)
	return copied
}

// Touches returns how often a claim moved its order without changing a line.
func (o *Orders) Touches(claimNo string) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.touches[claimNo]
}

// Changes returns how often an order, or a line in it, has changed.
func (o *Orders) Changes(orderNo string) int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.changes[orderNo]
}

// line finds a line; nil when there is none.
func (o *Orders) line(id uuid.UUID) *Line {
	for _, line := range o.lines {
		if line.ID == id {
			return line
		}
	}
	return nil
}

// split moves some pieces of a line onto one of their own; all of them are the line itself.
func (o *Orders) split(line *Line, quantity int64) *Line {
	if quantity == line.Quantity {
		return line
	}
	part := *line
	part.ID, part.SplitFrom, part.Quantity = uuid.New(), line.ID, quantity
	part.Seq = o.nextSeq(line.OrderNo)
	part.Paid = line.Paid * quantity / line.Quantity
	part.Points = line.Points * quantity / line.Quantity
	line.Quantity -= part.Quantity
	line.Paid -= part.Paid
	line.Points -= part.Points
	o.lines = append(o.lines, &part)
	return &part
}

func (o *Orders) nextSeq(orderNo string) int {
	last := 0
	for _, line := range o.lines {
		if line.OrderNo == orderNo {
			last = max(last, line.Seq)
		}
	}
	return last + 1
}
