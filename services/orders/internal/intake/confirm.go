package intake

import (
	"context"
	"fmt"
	"strings"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/orders/internal/order"
)

const itemsMost = 200

// ConfirmPurchase implements orders.v1.Intake.
func (s *Service) ConfirmPurchase(
	ctx context.Context, request *ordersv1.ConfirmPurchaseRequest,
) (*ordersv1.ConfirmPurchaseResponse, error) {
	ids := request.GetItemIds()
	act := actOf(request.GetAct())
	problems := checkItems(ids)
	if act != nil {
		problems.Append(act.Check("act")...)
	}
	if err := problems.Err(); err != nil {
		return nil, err
	}
	if !order.IsNo(request.GetOrderNo()) {
		return nil, apierr.OrderNotFound
	}
	changed, err := s.Orders.Confirm(ctx, request.GetOrderNo(), ids, act)
	return &ordersv1.ConfirmPurchaseResponse{Changed: changed}, wireError(err)
}

// checkItems returns the problems of a list of items. Whether the items exist is checked by the rules.
func checkItems(ids []string) (problems invalid.Problems) {
	if !problems.Count("item_ids", len(ids), 1, itemsMost) {
		return problems
	}
	seen := make(map[string]bool, len(ids))
	for i, id := range ids {
		if id = strings.ToLower(id); seen[id] {
			problems.Add(fmt.Sprintf("item_ids[%d]", i), apierr.FieldRepeated, "stands twice in the call")
		}
		seen[id] = true
	}
	return problems
}

// actOf converts the act of an operator; nil when there is none.
func actOf(sent *ordersv1.Act) *order.Act {
	if sent == nil {
		return nil
	}
	return &order.Act{ID: sent.GetActId(), Operator: sent.GetOperator(), Reason: sent.GetReason()}
}
