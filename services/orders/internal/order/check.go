package order

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/timestamp"
)

// What an order may hold.
const (
	// MaxLines is the most lines of an order, over all sellers. A line has a two-digit code as long as there are fewer
	// than a hundred; claims add lines later.
	MaxLines = 200
	// MaxQuantity is the most pieces of a line.
	MaxQuantity = 1_000_000
	// MaxAmount is the most that any amount of a line or a seller's part can be. The sums of an order with the most lines
	// stay exact in a double, which is what JSON numbers are to many clients.
	MaxAmount = 1_000_000_000_000
	// ClockSlack is how far ahead of our clock a time may be that the marketplace took from its own: it happened, so it
	// cannot be in the future.
	ClockSlack = time.Minute
	// maxHistory is the most changes that a line can come with.
	maxHistory = 100
)

// IsNo reports whether a text can be an order number. What cannot be one is no order's.
func IsNo(text string) bool { return invalid.OrderNo.Form.MatchString(text) }

// CheckAll returns everything that is wrong with the placed orders of one request, whose paths begin with orders[0] and so
// on. Nothing can have happened after now, by our clock.
func CheckAll(placements []Placement, now time.Time) []apierr.FieldError {
	c := &checker{now: now}
	owners := map[uuid.UUID]string{}
	for i := range placements {
		path := fmt.Sprintf("orders[%d]", i)
		c.placement(path, &placements[i])
		c.owners(path+".sellers", &placements[i], owners)
	}
	return c.List()
}

// Check returns everything that is wrong with the placed order; path is where it stands in the request. Nothing can have
// happened after now, by our clock.
func (p *Placement) Check(path string, now time.Time) []apierr.FieldError {
	c := &checker{now: now}
	c.placement(path, p)
	return c.List()
}

// CheckPaidAt returns what is wrong with the time of a payment.
func CheckPaidAt(path string, paidAt, now time.Time) []apierr.FieldError {
	c := &checker{now: now}
	c.paidAt(path, paidAt)
	return c.List()
}

// checker collects problems.
type checker struct {
	invalid.Problems
	now time.Time
}

// placement checks one order.
func (c *checker) placement(path string, p *Placement) {
	c.Text(path+".order_no", p.No, invalid.OrderNo)
	c.Text(path+".member_id", p.MemberID, invalid.ID)
	c.Text(path+".currency", p.Currency, invalid.Currency)
	if p.IsPaid() {
		c.paidAt(path+".paid_at", p.PaidAt)
	}
	c.contact(path+".contact", p.Contact)
	c.parts(path+".sellers", p)
}

// owners checks that no item stands in an order with another number too. owners holds the number of each item so far.
func (c *checker) owners(path string, p *Placement, owners map[uuid.UUID]string) {
	for i := range p.Parts {
		for k := range p.Parts[i].Lines {
			id := p.Parts[i].Lines[k].ID
			if owner, known := owners[id]; known && owner != p.No {
				c.Add(fmt.Sprintf("%s[%d].lines[%d].item_id", path, i, k), apierr.FieldRepeated, "stands in another order too")
			} else if id != uuid.Nil {
				owners[id] = p.No
			}
		}
	}
}

// paidAt checks the time of a payment.
func (c *checker) paidAt(field string, at time.Time) {
	if found := timestamp.CheckReported(field, at); found != nil {
		c.Append(found...)
		return
	}
	c.moment(field, at, timestamp.Earliest)
}

// moment checks that something happened neither before another thing nor in the future.
func (c *checker) moment(field string, at, after time.Time) {
	switch {
	case at.Before(after):
		c.Add(field, apierr.FieldRange, "is before "+after.Format(time.RFC3339Nano))
	case at.After(c.now.Add(ClockSlack)):
		c.Add(field, apierr.FieldRange, "is in the future")
	}
}

// contact checks the personal data, all of which may be left out.
func (c *checker) contact(path string, contact Contact) {
	for _, text := range contactTexts {
		c.Text(path+"."+text.Name, *text.Of(&contact), text.Kind.Optional())
	}
}
