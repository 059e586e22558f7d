// Package linestest is a minimal orders service for tests: it keeps lines in memory, implements the contract that claims calls
// like the real one, over real HTTP, and injects faults on demand. It implements nothing beyond the contract. The test suite of
// claimlinestest ensures that it answers like the real service: both pass it.
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
	// Open says that the seller can ship this exchange line.
	Open bool
	// Closed says that this exchange line is about to be canceled: nobody can do anything with it.
	Closed bool
	// SplitFrom is the line that a split-off line comes from.
	SplitFrom           uuid.UUID
	Carrier, TrackingNo string
}

// Code is the item code.
func (l Line) Code() string { return fmt.Sprintf("%s-%02d", l.OrderNo, l.Seq) }

// shipped reports whether a line has shipped, in any later state.
func (l *Line) shipped() bool {
	return slices.Contains([]string{"shipping", "delivered", "confirmed", "returned", "exchanged"}, l.Status)
}

// ended reports whether a line is in a final state in which the customer does not have the goods.
func (l *Line) ended() bool {
	return slices.Contains([]string{"canceled", "returned", "exchanged"}, l.Status)
}

// shippingFee is the shipping paid to every seller of every order.
const shippingFee = 3000

// Orders is the in-memory service. Its methods are safe for concurrent use.
type Orders struct {
	mu    sync.Mutex
	lines []*Line
	holds map[string]*Hold
	paid  map[string]time.Time
	// points are the points spent on a seller's part, by order and seller.
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

// Place adds lines of one seller to an order, one per quantity, in the given state, at 5,000 per piece and 3,000 for shipping, paid and
// delivered now; it returns the ids of the lines.
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

// Spend sets the points spent on a seller's part of an order, whose lines all have a price. It must be called once.
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

// Backdate sets the times at which an order was paid and its delivered lines arrived. With the zero time the service does not report
// the payment time, like older versions.
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

// Correct changes a line in any way, including those that the real service does not allow.
func (o *Orders) Correct(id uuid.UUID, change func(*Line)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	line := o.line(id)
	change(line)
	o.changes[line.OrderNo]++
}

// CorrectAsOperator is Correct unless the line is sealed or closed: ORDER_ITEM_HAS_ACTIVE_CLAIM.
func (o *Orders) CorrectAsOperator(id uuid.UUID, change func(*Line)) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	line := o.line(id)
	if hold := o.holds[line.ClaimNo]; line.Closed || hold != nil && hold.State == "active" && hold.Sealed {
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

// Hold returns a copy of what a claim holds; the zero value if it holds nothing.
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

// Touches returns how often a claim touched its order without changing a line.
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

// line returns a line; nil if there is none.
func (o *Orders) line(id uuid.UUID) *Line {
	for _, line := range o.lines {
		if line.ID == id {
			return line
		}
	}
	return nil
}

// split moves some pieces of a line to a new line; for all pieces it returns the line itself.
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
