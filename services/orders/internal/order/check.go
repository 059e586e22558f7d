package order

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
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

var (
	orderNoForm  = regexp.MustCompile(`^[A-Z0-9-]{1,50}$`)
	currencyForm = regexp.MustCompile(`^[A-Z]{3}$`)
)

// IsNo reports whether a text can be an order number. What cannot be one is no order's.
func IsNo(text string) bool { return orderNoForm.MatchString(text) }

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
	return c.problems
}

// Check returns everything that is wrong with the placed order; path is where it stands in the request. Nothing can have
// happened after now, by our clock.
func (p *Placement) Check(path string, now time.Time) []apierr.FieldError {
	c := &checker{now: now}
	c.placement(path, p)
	return c.problems
}

// CheckPaidAt returns what is wrong with the time of a payment.
func CheckPaidAt(path string, paidAt, now time.Time) []apierr.FieldError {
	c := &checker{now: now}
	c.paidAt(path, paidAt)
	return c.problems
}

// checker collects problems.
type checker struct {
	now      time.Time
	problems []apierr.FieldError
}

// placement checks one order.
func (c *checker) placement(path string, p *Placement) {
	c.form(path+".order_no", p.No, orderNoForm, "is not 1 to 50 characters of A-Z, 0-9 and hyphen")
	c.text(path+".member_id", p.MemberID, 1, 100)
	c.form(path+".currency", p.Currency, currencyForm, "is not a currency code of three capital letters")
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
				c.add(fmt.Sprintf("%s[%d].lines[%d].item_id", path, i, k), apierr.FieldRepeated, "stands in another order too")
			} else if id != uuid.Nil {
				owners[id] = p.No
			}
		}
	}
}

// add notes one problem.
func (c *checker) add(field, code, message string, allowed ...string) {
	c.problems = append(c.problems, apierr.FieldError{Field: field, Code: code, Message: message, Allowed: allowed})
}

// form checks a text against a form.
func (c *checker) form(field, value string, form *regexp.Regexp, message string) {
	if !form.MatchString(value) {
		c.add(field, apierr.FieldMalformed, message)
	}
}

// text checks the length of a text, in code points, and that nothing in it is a control character other than line feed
// and tab.
func (c *checker) text(field, value string, least, most int) {
	count := utf8.RuneCountInString(value)
	switch {
	case count < least:
		c.add(field, apierr.FieldEmpty, "is empty")
	case count > most:
		c.add(field, apierr.FieldTooLong, fmt.Sprintf("has more than %d characters", most))
	case !utf8.ValidString(value):
		c.add(field, apierr.FieldEncoding, "is not valid UTF-8")
	case hasControls(value):
		c.add(field, apierr.FieldControl, "has control characters")
	}
}

// hasControls reports whether a text has control characters that no text needs.
func hasControls(value string) bool {
	for _, r := range value {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return true
		}
	}
	return false
}

// number checks a number against both ends of its range.
func (c *checker) number(field string, value, least, most int64) {
	if value < least || value > most {
		c.add(field, apierr.FieldRange, "is not between "+strconv.FormatInt(least, 10)+" and "+strconv.FormatInt(most, 10))
	}
}

// paidAt checks the time of a payment.
func (c *checker) paidAt(field string, at time.Time) {
	if found := timestamp.CheckReported(field, at); found != nil {
		c.problems = append(c.problems, found...)
		return
	}
	c.moment(field, at, timestamp.Earliest)
}

// moment checks that something happened neither before another thing nor in the future.
func (c *checker) moment(field string, at, after time.Time) {
	switch {
	case at.Before(after):
		c.add(field, apierr.FieldRange, "is before "+after.Format(time.RFC3339Nano))
	case at.After(c.now.Add(ClockSlack)):
		c.add(field, apierr.FieldRange, "is in the future")
	}
}

// contact checks the personal data, all of which may be left out.
func (c *checker) contact(path string, contact Contact) {
	c.text(path+".orderer_name", contact.OrdererName, 0, 100)
	c.text(path+".orderer_phone", contact.OrdererPhone, 0, 50)
	c.text(path+".recipient_name", contact.RecipientName, 0, 100)
	c.text(path+".recipient_phone", contact.RecipientPhone, 0, 50)
	c.text(path+".zipcode", contact.Zipcode, 0, 20)
	c.text(path+".address1", contact.Address1, 0, 300)
	c.text(path+".address2", contact.Address2, 0, 300)
	c.text(path+".ship_memo", contact.ShipMemo, 0, 500)
}
