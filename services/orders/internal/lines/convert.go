package lines

import (
	"fmt"
	"math"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/orders/internal/order"
)

const itemsMost = 200

var types = map[ordersv1.ClaimType]order.ClaimType{
	ordersv1.ClaimType_CLAIM_TYPE_CANCEL:   order.ClaimCancel,
	ordersv1.ClaimType_CLAIM_TYPE_RETURN:   order.ClaimReturn,
	ordersv1.ClaimType_CLAIM_TYPE_EXCHANGE: order.ClaimExchange,
}

func holdOf(sent *ordersv1.OpenRequest) (*order.Hold, error) {
	var r invalid.Problems
	r.Text("claim_no", sent.GetClaimNo(), invalid.ClaimNo)
	hold := &order.Hold{
		ClaimNo: sent.GetClaimNo(), Type: types[sent.GetType()], SellerID: r.UUID("seller_id", sent.GetSellerId()),
		State: order.HoldActive,
	}
	if hold.Type == "" {
		r.NotAllowed("type")
	}
	if !r.Count("lines", len(sent.GetLines()), 1, itemsMost) {
		return nil, r.Err()
	}
	seen := map[uuid.UUID]bool{}
	for i, line := range sent.GetLines() {
		path := fmt.Sprintf("lines[%d]", i)
		id := r.UUID(path+".item_id", line.GetItemId())
		if seen[id] {
			r.Add(path+".item_id", apierr.FieldRepeated, "stands twice in the call")
		}
		seen[id] = true
		r.Number(path+".quantity", line.GetQuantity(), 1, math.MaxInt64)
		hold.Items = append(hold.Items, order.HoldItem{ItemID: id, Quantity: line.GetQuantity()})
	}
	return hold, r.Err()
}

func openResponse(o *order.Locked, hold *order.Hold, opened *order.Opened) *ordersv1.OpenResponse {
	return &ordersv1.OpenResponse{
		Lines: factsOf(o, hold), Currency: o.Currency, ShippingFeePaid: o.Seller(hold.SellerID).ShippingFeePaid,
		WholeRemainder: opened.WholeRemainder, BeforeShipping: opened.BeforeShipping, SellerQuantity: opened.SellerQuantity,
		PaidAt: timestamppb.New(o.PaidAt), ShippingPoints: o.ShippingPoints(hold.SellerID),
	}
}

// factsOf returns the facts of the lines that a claim holds or held, in the order of the hold.
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
			// A pod of the previous version splits a line without its points, which all stay with the rest.
			ItemStatus: string(item.State), PointsAmount: min(item.Points, item.Prices.Paid),
		}
		if !item.DeliveredAt.IsZero() {
			line.DeliveredAt = timestamppb.New(item.DeliveredAt)
		}
		facts = append(facts, line)
	}
	return facts
}

func settledLines(hold *order.Hold) []*ordersv1.SettledLine {
	lines := make([]*ordersv1.SettledLine, 0, len(hold.Items))
	for _, held := range hold.Items {
		lines = append(lines, &ordersv1.SettledLine{ItemId: held.ItemID.String(), SettledItemId: held.SettledItemID.String()})
	}
	return lines
}

type field struct {
	name, value string
	kind        invalid.Text
}

func checkTexts(fields ...field) error {
	var r invalid.Problems
	for _, f := range fields {
		r.Text(f.name, f.value, f.kind)
	}
	return r.Err()
}
