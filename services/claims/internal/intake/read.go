package intake

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/timestamp"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/claims/internal/claim"
)

const (
	maxItems = 200
	maxFee   = 1_000_000
)

type problems struct{ invalid.Problems }

// option reads the name of an option; needed means that it must not be blank. The rules report a missing one.
func (p *problems) option(field, text string, needed bool) string {
	kind := invalid.OptionName
	if !needed || text == "" {
		kind = kind.Optional()
	}
	p.Text(field, text, kind)
	return text
}

func (p *problems) freezeCode(sent string) claim.FreezeCode {
	code := cmp.Or(claim.FreezeCode(sent), claim.FreezeOther)
	if !slices.Contains(claim.FreezeCodes(), code) {
		p.NotAllowed("code", invalid.Names(claim.FreezeCodes())...)
	}
	return code
}

// moment reads an optional time, truncated to microseconds.
func (p *problems) moment(field string, sent *timestamppb.Timestamp) *time.Time {
	if sent == nil {
		return nil
	}
	if sent.CheckValid() != nil {
		p.Add(field, apierr.FieldMalformed, "is not a timestamp")
		return nil
	}
	at := sent.AsTime().Truncate(time.Microsecond)
	p.Append(timestamp.CheckReported(field, at)...)
	return &at
}

func readWanted(m *claimsv1.RequestClaimRequest) (claim.Wanted, error) {
	var p problems
	w := claim.Wanted{
		No: p.Read("claim_no", m.GetClaimNo(), invalid.ClaimNo), OrderNo: p.Read("order_no", m.GetOrderNo(), invalid.OrderNo),
		SellerID: p.UUID("seller_id", m.GetSellerId()), Type: claim.Type(m.GetType()), Reason: claim.Reason(m.GetReasonCode()),
		RequestedAt: p.moment("requested_at", m.GetRequestedAt()),
	}
	if !p.Count("items", len(m.GetItems()), 0, maxItems) {
		return claim.Wanted{}, p.Err()
	}
	for i, item := range m.GetItems() {
		at := fmt.Sprintf("items[%d].", i)
		w.Items = append(w.Items, claim.WantedItem{
			ItemID: p.UUID(at+"item_id", item.GetItemId()), Quantity: item.GetQuantity(),
			ExchangeOptionName: p.option(at+"exchange_option_name", item.GetExchangeOptionName(), w.Type == claim.Exchange),
			ExchangeUnitPrice:  item.GetExchangeUnitPrice(),
			ExchangeListPrice:  item.GetExchangeListPrice(),
		})
	}
	return w, p.with(w.Check())
}

func (p *problems) with(rules error) error {
	if rules == nil {
		return p.Err()
	}
	found, _ := apierr.From(rules).Data["errors"].([]apierr.FieldError)
	p.Append(found...)
	return p.Err()
}

func readCommand(m *claimsv1.ActAsOperatorRequest) (string, claim.Command, error) {
	var p problems
	no := p.Read("claim_no", m.GetClaimNo(), invalid.ClaimNo)
	command := claim.Command{
		Action: claim.Trigger(m.GetAction()),
		Actor:  claim.Actor{Kind: claim.ByOperator, Name: p.Read("operator", m.GetOperator(), invalid.Operator)},
		At:     p.moment("happened_at", m.GetHappenedAt()),
	}
	takes, known := command.Action.Takes()
	if !known {
		p.NotAllowed("action", invalid.Names(claim.Actions())...)
	}
	switch takes {
	case claim.TakesNothing:
	case claim.TakesMemo:
		command.Values.Memo = p.Read("memo", m.GetMemo(), invalid.RejectionMemo)
	case claim.TakesInspection:
		command.Values = p.inspection(m)
	case claim.TakesShipment:
		if err := p.Err(); err != nil {
			return "", claim.Command{}, err
		}
		shipment, err := carrier.ParseShipment(m.GetCarrierName(), m.GetTrackingNo(), nil)
		if err != nil {
			return "", claim.Command{}, err
		}
		command.Values = claim.Values{Carrier: shipment.Carrier, TrackingNo: shipment.TrackingNo}
	}
	if err := p.Err(); err != nil {
		return "", claim.Command{}, err
	}
	return no, command, command.Values.Check(command.Action)
}

// inspection reads the result of an inspection and its memo; a blank memo counts as missing.
func (p *problems) inspection(m *claimsv1.ActAsOperatorRequest) claim.Values {
	values := claim.Values{Result: claim.Result(m.GetResult())}
	if values.Result != claim.Pass && values.Result != claim.Fail {
		p.NotAllowed("result", invalid.Names([]claim.Result{claim.Pass, claim.Fail})...)
	}
	if memo := p.Read("memo", m.GetMemo(), invalid.Memo.Optional()); !invalid.IsBlank(memo) {
		values.Memo = memo
	}
	return values
}
