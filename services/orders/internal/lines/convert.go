package lines

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/orders/internal/order"
)

// The longest texts of a call, none of which is shorter than what claims takes.
const (
	claimNoMost = 100
	optionMost  = 500
)

// itemsMost is how many lines a claim may hold.
const itemsMost = 200

// types translates what a claim is.
var types = map[ordersv1.ClaimType]order.ClaimType{
	ordersv1.ClaimType_CLAIM_TYPE_CANCEL:   order.ClaimCancel,
	ordersv1.ClaimType_CLAIM_TYPE_RETURN:   order.ClaimReturn,
	ordersv1.ClaimType_CLAIM_TYPE_EXCHANGE: order.ClaimExchange,
}

// holdOf reads what a claim wants to hold.
func holdOf(sent *ordersv1.OpenRequest) (*order.Hold, error) {
	r := &reader{}
	r.text("claim_no", sent.GetClaimNo(), claimNoMost)
	hold := &order.Hold{
		ClaimNo: sent.GetClaimNo(), Type: types[sent.GetType()], SellerID: r.uuid("seller_id", sent.GetSellerId()), State: order.HoldActive,
	}
	if hold.Type == "" {
		r.add("type", apierr.FieldNotAllowed, "is not a type of claims")
	}
	if n := len(sent.GetLines()); n == 0 || n > itemsMost {
		r.add("lines", apierr.FieldRange, fmt.Sprintf("has %d elements; 1 to %d are allowed", n, itemsMost))
	}
	seen := map[uuid.UUID]bool{}
	for i, line := range sent.GetLines() {
		path := fmt.Sprintf("lines[%d]", i)
		id := r.uuid(path+".item_id", line.GetItemId())
		if seen[id] {
			r.add(path+".item_id", apierr.FieldRepeated, "stands twice in the call")
		}
		seen[id] = true
		if line.GetQuantity() < 1 {
			r.add(path+".quantity", apierr.FieldRange, "is less than 1")
		}
		hold.Items = append(hold.Items, order.HoldItem{ItemID: id, Quantity: line.GetQuantity()})
	}
	return hold, r.err()
}

// openResponse writes what a claim learns of the lines that it holds.
func openResponse(o *order.Locked, hold *order.Hold, opened *order.Opened) *ordersv1.OpenResponse {
	return &ordersv1.OpenResponse{
		Lines: factsOf(o, hold), Currency: o.Currency, ShippingFeePaid: o.Seller(hold.SellerID).ShippingFeePaid,
		WholeRemainder: opened.WholeRemainder, BeforeShipping: opened.BeforeShipping, SellerQuantity: opened.SellerQuantity,
		PaidAt: timestamppb.New(o.PaidAt),
	}
}

// factsOf writes the facts of the lines that a claim holds or held, in its order.
func factsOf(o *order.Locked, hold *order.Hold) []*ordersv1.LineFacts {
	facts := make([]*ordersv1.LineFacts, 0, len(hold.Items))
	for _, held := range hold.Items {
		item := o.Item(held.ItemID)
		if item == nil {
			continue
		}
		line := &ordersv1.LineFacts{
			ItemId: item.ID.String(), ItemCode: order.ItemCode(o.No, item.Seq), ProductId: item.ProductID, ProductName: item.ProductName,
			OptionName: item.OptionName, Quantity: item.Quantity, UnitPrice: item.Prices.Unit, LinePaidAmount: item.Prices.Paid,
			ItemStatus: string(item.State),
		}
		if !item.DeliveredAt.IsZero() {
			line.DeliveredAt = timestamppb.New(item.DeliveredAt)
		}
		facts = append(facts, line)
	}
	return facts
}

// settledLines writes where the claimed quantities live now.
func settledLines(hold *order.Hold) []*ordersv1.SettledLine {
	lines := make([]*ordersv1.SettledLine, 0, len(hold.Items))
	for _, held := range hold.Items {
		lines = append(lines, &ordersv1.SettledLine{ItemId: held.ItemID.String(), SettledItemId: held.SettledItemID.String()})
	}
	return lines
}

// field is a text of a call.
type field struct{ name, value string }

// checkTexts refuses texts that cannot be names of anything.
func checkTexts(fields ...field) error {
	r := &reader{}
	for _, f := range fields {
		r.text(f.name, f.value, claimNoMost)
	}
	return r.err()
}

// reader collects what is wrong with a call.
type reader struct{ problems []apierr.FieldError }

// add notes a problem.
func (r *reader) add(field, code, message string) {
	r.problems = append(r.problems, apierr.FieldError{Field: field, Code: code, Message: message})
}

// err is VALIDATION_ERROR with all problems, nil when there are none.
func (r *reader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	return apierr.Invalid(r.problems...)
}

// text checks a text that must say something.
func (r *reader) text(field, value string, most int) {
	if value == "" {
		r.add(field, apierr.FieldEmpty, "is empty")
	}
	r.optionalText(field, value, most)
}

// optionalText checks a text of one line that may be empty. What claims takes of such texts must be taken here: it hands them on
// long after it has answered for them.
func (r *reader) optionalText(field, value string, most int) {
	if utf8.RuneCountInString(value) > most {
		r.add(field, apierr.FieldTooLong, fmt.Sprintf("has more than %d characters", most))
	}
	if strings.ContainsFunc(value, unicode.IsControl) {
		r.add(field, apierr.FieldControl, "has control characters")
	}
}

// uuid reads the usual form of a UUID, 36 characters.
func (r *reader) uuid(field, value string) uuid.UUID {
	id, err := uuid.Parse(value)
	if err != nil || len(value) != 36 {
		r.add(field, apierr.FieldMalformed, "is not a UUID")
	}
	return id
}
