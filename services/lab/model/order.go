package model

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Order is an order with the lines of all its sellers.
type Order struct {
	No   int
	Spec *Placement
	// Payment is pending, paid, failed or expired.
	Payment   string
	PaidAt    moment
	Forgotten bool
	// ShippingPoints are the used points that pay the seller's shipping.
	ShippingPoints int64
	// Bought is the number of pieces in the seller's part.
	Bought int64
	Lines  []Line
	// Changes counts the changes, that is, whatever changes updated_at.
	Changes int
}

// Line is one item. Code is the number of its code.
type Line struct {
	Code          int
	Others        bool
	Product       string
	Option        string
	Quantity      int64
	List, Unit    int64
	Amount, Paid  int64
	Points        int64
	State         string
	Exchange      bool
	Gate          string
	Claim         int
	Parcel        *Parcel
	Shipped       moment
	Delivered     moment
	Confirmed     moment
	Origin        int
	SplitFrom     int
	ExchangeClaim int
}

// The states of items.
const (
	Paid      = "paid"
	Preparing = "preparing"
	Shipping  = "shipping"
	Delivered = "delivered"
	Confirmed = "confirmed"
	Canceled  = "canceled"
	Returned  = "returned"
	Exchanged = "exchanged"
)

const (
	gateOpen   = "open"
	gateClosed = "closed"
	gateEnded  = "ended"
)

var rank = map[string]int{Paid: 1, Preparing: 2, Shipping: 3, Delivered: 4, Confirmed: 5}

var (
	showsParcel    = set(Shipping, Delivered, Confirmed, Returned, Exchanged)
	showsLogistics = set(Shipping, Delivered, Confirmed)
	showsDelivered = set(Delivered, Confirmed, Returned, Exchanged)
)

func set[T comparable](members ...T) map[T]bool {
	s := make(map[T]bool, len(members))
	for _, member := range members {
		s[member] = true
	}
	return s
}

func (o *Order) line(code int) *Line {
	for i := range o.Lines {
		if o.Lines[i].Code == code {
			return &o.Lines[i]
		}
	}
	return nil
}

// add appends a line with the next code of the order and returns it. It invalidates pointers to
// the other lines.
func (o *Order) add(line Line) *Line {
	line.Code = len(o.Lines) + 1
	o.Lines = append(o.Lines, line)
	return &o.Lines[len(o.Lines)-1]
}

// enter moves a line into a state and clears the fields that the state does not show.
func (l *Line) enter(state string, now moment) {
	l.State = state
	l.Shipped = shown(showsParcel[state], l.Shipped, now)
	l.Delivered = shown(showsDelivered[state], l.Delivered, now)
	l.Confirmed = shown(state == Confirmed, l.Confirmed, now)
	if !showsParcel[state] {
		l.Parcel = nil
	}
}

// shown returns a time field for a state: zero when the state does not show it, else the known
// time, else now.
func shown(shows bool, known, now moment) moment {
	switch {
	case !shows:
		return moment{}
	case known == moment{}:
		return now
	default:
		return known
	}
}

func (l *Line) held() bool { return l.Claim != 0 }

// standsIn reports whether the line replaces another one in an exchange in progress.
func (l *Line) standsIn() bool { return l.Gate == gateOpen || l.Gate == gateClosed }

// split divides a line: the claimed pieces become a line of their own with their share of every
// amount, rounded down.
func (o *Order) split(code int, pieces int64, claim int) *Line {
	line := o.line(code)
	part := *line
	part.Origin, part.SplitFrom, part.Claim = code, claim, 0
	part.Quantity = pieces
	part.Amount = share(line.Amount, pieces, line.Quantity)
	part.Paid = share(line.Paid, pieces, line.Quantity)
	part.Points = share(line.Points, pieces, line.Quantity)
	line.Quantity -= part.Quantity
	line.Amount -= part.Amount
	line.Paid -= part.Paid
	line.Points -= part.Points
	return o.add(part)
}

func rollUp(lines []Line) string {
	least, lost := "", false
	for i := range lines {
		state := lines[i].State
		lost = lost || state == Canceled || state == Returned
		if rank[state] > 0 && (least == "" || rank[state] < rank[least]) {
			least = state
		}
	}
	switch {
	case least == "":
		return Canceled
	case lost:
		return "partially_claimed"
	default:
		return least
	}
}

// Status returns the order's status from the lines of all sellers.
func (o *Order) Status() string { return rollUp(o.Lines) }

func (o *Order) own() []Line {
	return slices.DeleteFunc(slices.Clone(o.Lines), func(l Line) bool { return l.Others })
}

// Visible reports whether sellers see the order.
func (o *Order) Visible() bool { return o != nil && o.Payment == Paid }

func (o *Order) clone() *Order {
	c := *o
	c.Lines = slices.Clone(o.Lines)
	return &c
}

var carriers = []string{"CJ대한통운", "우체국택배", "한진택배", "롯데택배", "로젠택배"}

// normal returns the parcel as it is stored, or the refusal of an invalid one.
func (p *Parcel) normal() (*Parcel, Reply) {
	number := strings.ToUpper(strings.NewReplacer(" ", "", "-", "", ".", "").Replace(p.TrackingNo))
	name := strings.TrimSpace(p.Carrier)
	logistics := ""
	if p.Logistics != nil {
		logistics = *p.Logistics
	}
	switch {
	case strings.ContainsFunc(p.Carrier+p.TrackingNo+logistics, unicode.IsControl):
		return nil, refuse(statusBad, "SHIPMENT_INPUT_INVALID")
	case !slices.Contains(carriers, name):
		return nil, refuse(statusInvalid, "SHIPMENT_CARRIER_NOT_ALLOWED")
	case number == "":
		return nil, refuse(statusBad, "SHIPMENT_FIELDS_REQUIRED")
	}
	return &Parcel{Carrier: name, TrackingNo: number, Logistics: p.Logistics}, Reply{}
}

func (p *Parcel) same(other *Parcel) bool {
	return p != nil && p.travels(other) && (p.Logistics == nil) == (other.Logistics == nil) &&
		(p.Logistics == nil || *p.Logistics == *other.Logistics)
}

func (p *Parcel) travels(other *Parcel) bool {
	return p.Carrier == other.Carrier && p.TrackingNo == other.TrackingNo
}

func cloneMap[V any](m map[int]V, clone func(V) V) map[int]V {
	c := maps.Clone(m)
	for key, value := range c {
		c[key] = clone(value)
	}
	return c
}
