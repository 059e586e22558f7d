package lines

import (
	"context"
	"time"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/claims/internal/claim"
)

var wireTypes = map[claim.Type]ordersv1.ClaimType{
	claim.Cancel:   ordersv1.ClaimType_CLAIM_TYPE_CANCEL,
	claim.Return:   ordersv1.ClaimType_CLAIM_TYPE_RETURN,
	claim.Exchange: ordersv1.ClaimType_CLAIM_TYPE_EXCHANGE,
}

// Open holds lines for a claim and returns their facts. Refused with ORDER_NOT_FOUND, ORDER_ITEM_NOT_FOUND,
// ORDER_ITEM_HAS_ACTIVE_CLAIM, or CLAIM_NOT_APPROVABLE when state or quantity do not allow the claim.
func (c *Client) Open(ctx context.Context, w claim.Wanted) (claim.Held, error) {
	request := &ordersv1.OpenRequest{ClaimNo: w.No, Type: wireTypes[w.Type], SellerId: w.SellerID.String(), OrderNo: w.OrderNo}
	for _, item := range w.Items {
		request.Lines = append(request.Lines, &ordersv1.ClaimedLine{ItemId: item.ItemID.String(), Quantity: item.Quantity})
	}
	answer, err := call(ctx, c, c.calls.Open, request)
	if err != nil {
		return claim.Held{}, err
	}
	held := claim.Held{
		PaidAt: answer.GetPaidAt().AsTime(), ShippingPaid: answer.GetShippingFeePaid(), SellerQuantity: answer.GetSellerQuantity(),
		ShippingPoints: answer.GetShippingPoints(), Currency: answer.GetCurrency(),
	}
	if len(answer.GetLines()) != len(w.Items) {
		return claim.Held{}, nonsense("open", errOtherLines)
	}
	for i, facts := range answer.GetLines() {
		line, err := toLine(facts)
		if err != nil {
			return claim.Held{}, err
		}
		if line.ItemID != w.Items[i].ItemID {
			return claim.Held{}, nonsense("open", errOtherLines)
		}
		held.Lines = append(held.Lines, line)
	}
	return held, nil
}

func toLine(facts *ordersv1.LineFacts) (claim.Line, error) {
	id, err := uuid.Parse(facts.GetItemId())
	if err != nil {
		return claim.Line{}, nonsense("open", err)
	}
	return claim.Line{
		ItemID: id, ItemCode: facts.GetItemCode(), ProductName: facts.GetProductName(), OptionName: facts.GetOptionName(),
		Quantity: facts.GetQuantity(), UnitPrice: facts.GetUnitPrice(), Paid: facts.GetLinePaidAmount(),
		Points:      facts.GetPointsAmount(),
		DeliveredAt: toTime(facts.GetDeliveredAt()),
	}, nil
}

func toTime(stamp *timestamppb.Timestamp) *time.Time {
	if !stamp.IsValid() {
		return nil
	}
	at := stamp.AsTime()
	return &at
}

func toSettled(call string, lines []*ordersv1.SettledLine) ([]claim.Settled, error) {
	if len(lines) == 0 {
		return nil, nonsense(call, errOtherLines)
	}
	settled := make([]claim.Settled, 0, len(lines))
	for _, line := range lines {
		item, err := uuid.Parse(line.GetItemId())
		if err != nil {
			return nil, nonsense(call, err)
		}
		moved, err := uuid.Parse(line.GetSettledItemId())
		if err != nil {
			return nil, nonsense(call, err)
		}
		settled = append(settled, claim.Settled{ItemID: item, SettledItemID: moved})
	}
	return settled, nil
}
