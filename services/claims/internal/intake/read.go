package intake

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/pkg/web"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/claims/internal/claim"
)

// What texts may have, in code points, and what numbers may be.
const (
	maxName   = 100
	maxMemo   = 1000
	maxOption = 500
	maxItems  = 200
	maxFee    = 1_000_000
)

// Codes that several messages share.
const (
	rangeCode    = apierr.FieldRange
	repeatedCode = apierr.FieldRepeated
)

// problems collects what is wrong with a message.
type problems struct{ list []apierr.FieldError }

func (p *problems) add(field, code, message string) {
	p.list = append(p.list, apierr.FieldError{Field: field, Code: code, Message: message})
}

// err is VALIDATION_ERROR with every problem; nil when there is none.
func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	return apierr.Invalid(p.list...)
}

// id reads a UUID in its usual form.
func (p *problems) id(field, text string) uuid.UUID {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != len(uuid.Nil.String()) || id == uuid.Nil {
		p.add(field, apierr.FieldMalformed, "is not a UUID")
		return uuid.Nil
	}
	return id
}

// numberForm is the form of the numbers of claims and orders: they are parts of paths.
var numberForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)

// number reads the number of a claim or an order.
func (p *problems) number(field, text string) string {
	if !numberForm.MatchString(text) {
		p.add(field, apierr.FieldMalformed, "is not 1 to 64 letters, digits, hyphens, underscores and dots, a letter or digit first")
		return ""
	}
	return text
}

// words reads a text that must say something.
func (p *problems) words(field, text string, most int) string {
	if web.IsBlank(text) {
		p.add(field, apierr.FieldEmpty, "must not be empty or blank")
		return ""
	}
	return p.optional(field, text, most)
}

// option reads the name of an option, which is one line and says something where it is needed. The rules miss one that is not
// there at all.
func (p *problems) option(field, text string, needed bool) string {
	if needed && text != "" && web.IsBlank(text) {
		p.add(field, apierr.FieldEmpty, "must not be empty or blank")
		return text
	}
	p.length(field, text, maxOption)
	if strings.ContainsFunc(text, unicode.IsControl) {
		p.add(field, apierr.FieldControl, "must not contain control characters")
	}
	return text
}

// length refuses a text that is too long.
func (p *problems) length(field, text string, most int) {
	if utf8.RuneCountInString(text) > most {
		p.add(field, apierr.FieldTooLong, fmt.Sprintf("must have at most %d characters", most))
	}
}

// optional reads a text that may be empty and have several lines.
func (p *problems) optional(field, text string, most int) string {
	p.length(field, text, most)
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
		p.add(field, apierr.FieldControl, "must not contain control characters other than line feed and tab")
	}
	return text
}

// moment reads a time that may be left out, cutting off what is finer than a microsecond.
func (p *problems) moment(field string, sent *timestamppb.Timestamp) *time.Time {
	if sent == nil {
		return nil
	}
	if sent.CheckValid() != nil {
		p.add(field, apierr.FieldMalformed, "is not a timestamp")
		return nil
	}
	at := sent.AsTime().Truncate(time.Microsecond)
	p.list = append(p.list, timestamp.CheckReported(field, at)...)
	return &at
}

// readWanted reads a request. What only the rules can judge is left to them.
func readWanted(m *claimsv1.RequestClaimRequest) (claim.Wanted, error) {
	var p problems
	w := claim.Wanted{
		No: p.number("claim_no", m.GetClaimNo()), OrderNo: p.number("order_no", m.GetOrderNo()),
		SellerID: p.id("seller_id", m.GetSellerId()), Type: claim.Type(m.GetType()), Reason: claim.Reason(m.GetReasonCode()),
		RequestedAt: p.moment("requested_at", m.GetRequestedAt()),
	}
	if len(m.GetItems()) > maxItems {
		p.add("items", apierr.FieldTooMany, fmt.Sprintf("must have at most %d elements", maxItems))
		return claim.Wanted{}, p.err()
	}
	for i, item := range m.GetItems() {
		at := fmt.Sprintf("items[%d].", i)
		w.Items = append(w.Items, claim.WantedItem{
			ItemID: p.id(at+"item_id", item.GetItemId()), Quantity: item.GetQuantity(),
			ExchangeOptionName: p.option(at+"exchange_option_name", item.GetExchangeOptionName(), w.Type == claim.Exchange),
			ExchangeUnitPrice:  item.GetExchangeUnitPrice(),
		})
	}
	return w, p.with(w.Check())
}

// with adds the problems that the rules found.
func (p *problems) with(rules error) error {
	if rules == nil {
		return p.err()
	}
	found, _ := apierr.From(rules).Data["errors"].([]apierr.FieldError)
	p.list = append(p.list, found...)
	return p.err()
}

// readCommand reads an operator's action.
func readCommand(m *claimsv1.ActAsOperatorRequest) (string, claim.Command, error) {
	var p problems
	no := p.number("claim_no", m.GetClaimNo())
	command := claim.Command{
		Action: claim.Trigger(m.GetAction()),
		Actor:  claim.Actor{Kind: claim.ByOperator, Name: p.words("operator", m.GetOperator(), maxName)},
		At:     p.moment("happened_at", m.GetHappenedAt()),
	}
	switch command.Action {
	case claim.Approve, claim.CollectDone:
	case claim.Reject:
		command.Values.Memo = p.words("memo", m.GetMemo(), maxMemo)
	case claim.Inspect:
		command.Values = p.inspection(m)
	case claim.Pickup, claim.Reship:
		if err := p.err(); err != nil {
			return "", claim.Command{}, err
		}
		shipment, err := carrier.ParseShipment(m.GetCarrierName(), m.GetTrackingNo(), nil)
		if err != nil {
			return "", claim.Command{}, err
		}
		command.Values = claim.Values{Carrier: shipment.Carrier, TrackingNo: shipment.TrackingNo}
	default:
		p.list = append(p.list, apierr.FieldError{
			Field: "action", Code: apierr.FieldNotAllowed, Message: "is not one of the allowed values", Allowed: claim.Names(claim.Actions()),
		})
	}
	if err := p.err(); err != nil {
		return "", claim.Command{}, err
	}
	return no, command, command.Values.Check(command.Action)
}

// inspection reads the result of an inspection and its memo; a blank memo is none.
func (p *problems) inspection(m *claimsv1.ActAsOperatorRequest) claim.Values {
	values := claim.Values{Result: claim.Result(m.GetResult())}
	if values.Result != claim.Pass && values.Result != claim.Fail {
		p.list = append(p.list, apierr.FieldError{
			Field: "result", Code: apierr.FieldNotAllowed, Message: "is not one of the allowed values",
			Allowed: claim.Names([]claim.Result{claim.Pass, claim.Fail}),
		})
	}
	if memo := p.optional("memo", m.GetMemo(), maxMemo); !web.IsBlank(memo) {
		values.Memo = memo
	}
	return values
}
