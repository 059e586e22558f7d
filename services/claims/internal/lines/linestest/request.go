package linestest

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// maxAmount is the maximum cost of replacement goods.
const maxAmount = 1_000_000_000_000

var types = map[ordersv1.ClaimType]string{
	ordersv1.ClaimType_CLAIM_TYPE_CANCEL: "cancel", ordersv1.ClaimType_CLAIM_TYPE_RETURN: "return", ordersv1.ClaimType_CLAIM_TYPE_EXCHANGE: "exchange",
}

// holdOf reads the lines that a claim requests to hold.
func holdOf(sent *ordersv1.OpenRequest) (*Hold, error) {
	p := &problems{}
	p.text("claim_no", sent.GetClaimNo(), 1, 100)
	hold := &Hold{State: "active", Type: types[sent.GetType()], seller: p.uuid("seller_id", sent.GetSellerId()), orderNo: sent.GetOrderNo()}
	p.add(hold.Type == "", "type", apierr.FieldNotAllowed)
	p.add(len(sent.GetLines()) < 1 || len(sent.GetLines()) > 200, "lines", apierr.FieldRange)
	seen := map[uuid.UUID]bool{}
	for i, line := range sent.GetLines() {
		path := fmt.Sprintf("lines[%d].", i)
		id := p.uuid(path+"item_id", line.GetItemId())
		p.add(seen[id], path+"item_id", apierr.FieldRepeated)
		p.add(line.GetQuantity() < 1, path+"quantity", apierr.FieldRange)
		seen[id] = true
		hold.Lines = append(hold.Lines, HeldLine{Item: id, Quantity: line.GetQuantity()})
	}
	return hold, p.err()
}

// checkReplacements returns an error for invalid replacements.
func checkReplacements(sent *ordersv1.AddExchangeLineRequest) error {
	p := &problems{}
	p.text("claim_no", sent.GetClaimNo(), 1, 100)
	for i, line := range sent.GetLines() {
		path := fmt.Sprintf("lines[%d].", i)
		p.uuid(path+"item_id", line.GetItemId())
		p.text(path+"exchange_option_name", line.GetExchangeOptionName(), 0, 500)
		p.add(line.GetLinePaidAmount() < 0 || line.GetLinePaidAmount() > maxAmount, path+"line_paid_amount", apierr.FieldRange)
		p.add(line.GetUnitPrice() < 0 || line.GetUnitPrice() > maxAmount, path+"unit_price", apierr.FieldRange)
		p.add(line.GetPointsAmount() < 0 || line.GetPointsAmount() > max(0, line.GetLinePaidAmount()), path+"points_amount", apierr.FieldRange)
	}
	return p.err()
}

// checkName returns an error for an invalid name.
func checkName(field, value string) error {
	p := &problems{}
	p.text(field, value, 1, 100)
	return p.err()
}

// checkRef returns an error for an invalid registration name, or one with fewer than least characters.
func checkRef(ref string, least int) error {
	p := &problems{}
	p.text("ref", ref, least, 100)
	return p.err()
}

// problems are the invalid fields of a call.
type problems struct{ fields []apierr.FieldError }

func (p *problems) add(wrong bool, field, code string) {
	if wrong {
		p.fields = append(p.fields, apierr.FieldError{Field: field, Code: code, Message: "is not allowed"})
	}
}

func (p *problems) text(field, value string, least, most int) {
	n := utf8.RuneCountInString(value)
	p.add(n < least, field, apierr.FieldEmpty)
	p.add(n > most, field, apierr.FieldTooLong)
	p.add(strings.ContainsFunc(value, unicode.IsControl), field, apierr.FieldControl)
}

func (p *problems) uuid(field, value string) uuid.UUID {
	id, err := uuid.Parse(value)
	p.add(err != nil || len(value) != 36, field, apierr.FieldMalformed)
	return id
}

// err returns VALIDATION_ERROR with all problems, nil if there are none.
func (p *problems) err() error {
	if len(p.fields) == 0 {
		return nil
	}
	return apierr.Invalid(p.fields...)
}
