package order

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/timestamp"
)

// The limits of an order.
const (
	// MaxLines is the maximum number of lines of an order, over all sellers. Line codes have two digits up to 99 lines and more
	// beyond that; claims add lines later.
	MaxLines = 200
	// MaxQuantity is the maximum quantity of a line.
	MaxQuantity = 1_000_000
	// MaxAmount is the maximum of any amount of a line or a seller's part. The sums of an order with MaxLines lines stay exact in
	// a double, which many clients use for JSON numbers.
	MaxAmount = 1_000_000_000_000
	// ClockSlack is how far ahead of our clock a time from the marketplace may be, to allow for clock skew: such a time is in the
	// past by the marketplace's clock.
	ClockSlack = time.Minute
	maxHistory = 100
)

// IsNo reports whether a text has the form of an order number. No order has a number of another form.
func IsNo(text string) bool { return invalid.OrderNo.Form.MatchString(text) }

// CheckAll returns all problems of the placed orders of one request, whose paths start with orders[0] and so on. Times after now
// plus ClockSlack are refused.
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

// Check returns all problems of the placed order; path is its path in the request. Times after now plus ClockSlack are refused.
func (p *Placement) Check(path string, now time.Time) []apierr.FieldError {
	c := &checker{now: now}
	c.placement(path, p)
	return c.List()
}

// CheckPaidAt returns the problems of the time of a payment.
func CheckPaidAt(path string, paidAt, now time.Time) []apierr.FieldError {
	c := &checker{now: now}
	c.paidAt(path, paidAt)
	return c.List()
}

type checker struct {
	invalid.Problems
	now time.Time
}

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

// owners checks that no item id occurs in two orders. owners maps each item id seen so far to its order number.
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

func (c *checker) paidAt(field string, at time.Time) {
	if found := timestamp.CheckReported(field, at); found != nil {
		c.Append(found...)
		return
	}
	c.moment(field, at, timestamp.Earliest)
}

// moment checks that a time is neither before another one nor in the future.
func (c *checker) moment(field string, at, after time.Time) {
	switch {
	case at.Before(after):
		c.Add(field, apierr.FieldRange, "is before "+after.Format(time.RFC3339Nano))
	case at.After(c.now.Add(ClockSlack)):
		c.Add(field, apierr.FieldRange, "is in the future")
	}
}

func (c *checker) contact(path string, contact Contact) {
	for _, text := range contactTexts {
		c.Text(path+"."+text.Name, *text.Of(&contact), text.Kind.Optional())
	}
}
