package intake

import (
	"context"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/invalid"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/orders/internal/order"
)

// CorrectItem implements orders.v1.Intake.
func (s *Service) CorrectItem(ctx context.Context, sent *ordersv1.CorrectItemRequest) (*ordersv1.CorrectItemResponse, error) {
	act := actOf(sent.GetAct())
	if act == nil {
		act = &order.Act{}
	}
	var problems invalid.Problems
	problems.Append(act.Check("act")...)
	correction, err := correctionOf(sent, &problems)
	if err != nil {
		return nil, err
	}
	if !order.IsNo(sent.GetOrderNo()) {
		return nil, apierr.OrderNotFound
	}
	changed, err := s.Orders.Correct(ctx, sent.GetOrderNo(), sent.GetItemId(), correction, *act)
	return &ordersv1.CorrectItemResponse{Changed: changed}, wireError(err)
}

// correctionOf converts the requested correction. problems are those found so far.
func correctionOf(sent *ordersv1.CorrectItemRequest, problems *invalid.Problems) (order.Correction, error) {
	correction := order.Correction{To: order.State(sent.GetItemStatus())}
	if !correction.To.Known() {
		problems.NotAllowed("item_status", invalid.Names(order.States())...)
	}
	shipment := sent.GetShipment()
	if shipment != nil {
		problems.Append(order.CheckParcel("shipment", shipmentOf(shipment))...)
	}
	if err := problems.Err(); err != nil {
		return order.Correction{}, err
	}
	if shipment != nil {
		parcel, err := carrier.ParseShipment(shipment.GetCarrierName(), shipment.GetTrackingNo(), shipment.LogisticsCompany)
		if err != nil {
			return order.Correction{}, err
		}
		correction.Parcel = &parcel
	}
	return correction, nil
}
