package intake

import (
	"context"
	"fmt"
	"strings"

	"connectrpc.com/connect"

	"sellerapi.dev/pkg/apierr"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/orders/internal/order"
)

// itemsMost is how many items a call may confirm.
const itemsMost = 200

// ConfirmPurchase implements orders.v1.Intake.
func (s *Service) ConfirmPurchase(
	ctx context.Context, request *connect.Request[ordersv1.ConfirmPurchaseRequest],
) (*connect.Response[ordersv1.ConfirmPurchaseResponse], error) {
	ids := request.Msg.GetItemIds()
	act := actOf(request.Msg.GetAct())
	problems := checkItems(ids)
	if act != nil {
		problems = append(problems, act.Check("act")...)
	}
	if err := refuse(problems); err != nil {
		return nil, err
	}
	if !order.IsNo(request.Msg.GetOrderNo()) {
		return nil, apierr.OrderNotFound
	}
	changed, err := s.Orders.Confirm(ctx, request.Msg.GetOrderNo(), ids, act)
	if err != nil {
		return nil, wireError(err)
	}
	return connect.NewResponse(&ordersv1.ConfirmPurchaseResponse{Changed: changed}), nil
}

// checkItems returns what is wrong with a list of items. Whether there are such items is the rules' to know.
func checkItems(ids []string) []apierr.FieldError {
	switch {
	case len(ids) == 0:
		return []apierr.FieldError{{Field: "item_ids", Code: apierr.FieldTooFew, Message: "has no item"}}
	case len(ids) > itemsMost:
		message := fmt.Sprintf("has more than %d items", itemsMost)
		return []apierr.FieldError{{Field: "item_ids", Code: apierr.FieldTooMany, Message: message}}
	}
	var problems []apierr.FieldError
	seen := make(map[string]bool, len(ids))
	for i, id := range ids {
		if id = strings.ToLower(id); seen[id] {
			problems = append(problems, apierr.FieldError{
				Field: fmt.Sprintf("item_ids[%d]", i), Code: apierr.FieldRepeated, Message: "stands twice in the call",
			})
		}
		seen[id] = true
	}
	return problems
}

// actOf turns the act of an operator; nil when there is none.
func actOf(sent *ordersv1.Act) *order.Act {
	if sent == nil {
		return nil
	}
	return &order.Act{ID: sent.GetActId(), Operator: sent.GetOperator(), Reason: sent.GetReason()}
}
