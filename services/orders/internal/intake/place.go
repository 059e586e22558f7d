package intake

import (
	"context"
	"errors"
	"fmt"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/orders/internal/order"
)

const ordersMost = 5000

var outcomes = map[order.PlaceOutcome]ordersv1.PlaceOutcome{
	order.Placed:        ordersv1.PlaceOutcome_PLACE_OUTCOME_PLACED,
	order.AlreadyPlaced: ordersv1.PlaceOutcome_PLACE_OUTCOME_ALREADY_PLACED,
	order.PlaceConflict: ordersv1.PlaceOutcome_PLACE_OUTCOME_CONFLICT,
}

// PlaceOrders implements orders.v1.Intake.
func (s *Service) PlaceOrders(ctx context.Context, request *ordersv1.PlaceOrdersRequest) (*ordersv1.PlaceOrdersResponse, error) {
	sent := request.GetOrders()
	var problems invalid.Problems
	if !problems.Count("orders", len(sent), 0, ordersMost) {
		return nil, problems.Err()
	}
	placements, malformed := placementsOf(sent)
	_, now, err := s.Orders.Times(ctx, placements)
	if err != nil {
		return nil, err
	}
	problems.Append(malformed...)
	problems.Append(order.CheckAll(placements, now)...)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	results, err := s.Orders.Place(ctx, placements)
	var taken *order.TakenError
	switch {
	case errors.As(err, &taken):
		return nil, apierr.Invalid(apierr.FieldError{
			Field: fmt.Sprintf("orders[%d].sellers[%d].lines[%d].item_id", taken.Placement, taken.Part, taken.Line),
			Code:  apierr.FieldRepeated, Message: "is the id of an item of another order",
		})
	case err != nil:
		return nil, err
	}
	return &ordersv1.PlaceOrdersResponse{Results: resultsOf(sent, results)}, nil
}

// resultsOf converts the results of the placements, in the order of the request.
func resultsOf(sent []*ordersv1.Order, results []order.PlaceResult) []*ordersv1.PlaceResult {
	written := make([]*ordersv1.PlaceResult, len(results))
	for i, result := range results {
		written[i] = &ordersv1.PlaceResult{OrderNo: sent[i].GetOrderNo(), Outcome: outcomes[result.Outcome]}
		for _, id := range result.ItemIDs {
			written[i].ItemIds = append(written[i].ItemIds, id.String())
		}
	}
	return written
}
