package lines

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/invalid"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/orders/internal/order"
)

// AddExchangeLine implements orders.v1.ClaimLines.
func (s *Service) AddExchangeLine(
	ctx context.Context, request *ordersv1.AddExchangeLineRequest,
) (*ordersv1.AddExchangeLineResponse, error) {
	wanted, err := replacementsOf(request)
	if err != nil {
		return nil, err
	}
	hold, err := s.Holds.Decide(ctx, request.GetClaimNo(), func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.AddExchangeLine(hold, wanted, newID)
	})
	if err != nil {
		return nil, err
	}
	byItem := make(map[uuid.UUID]uuid.UUID, len(hold.Items))
	for _, held := range hold.Items {
		byItem[held.ItemID] = held.ExchangeItemID
	}
	answer := &ordersv1.AddExchangeLineResponse{}
	for _, replacement := range wanted {
		answer.ExchangeItemIds = append(answer.ExchangeItemIds, byItem[replacement.ItemID].String())
	}
	return answer, nil
}

func replacementsOf(sent *ordersv1.AddExchangeLineRequest) ([]order.Replacement, error) {
	var r invalid.Problems
	r.Text("claim_no", sent.GetClaimNo(), invalid.ClaimNo)
	wanted := make([]order.Replacement, 0, len(sent.GetLines()))
	for i, line := range sent.GetLines() {
		path := fmt.Sprintf("lines[%d]", i)
		r.Text(path+".exchange_option_name", line.GetExchangeOptionName(), invalid.OptionName.Optional())
		r.Number(path+".line_paid_amount", line.GetLinePaidAmount(), 0, order.MaxAmount)
		r.Number(path+".list_price", line.GetListPrice(), 0, order.MaxAmount)
		r.Number(path+".unit_price", line.GetUnitPrice(), 0, order.MaxAmount)
		r.Number(path+".points_amount", line.GetPointsAmount(), 0, max(0, line.GetLinePaidAmount()))
		wanted = append(wanted, order.Replacement{
			ItemID: r.UUID(path+".item_id", line.GetItemId()), OptionName: line.GetExchangeOptionName(), Paid: line.GetLinePaidAmount(),
			Points: line.GetPointsAmount(), ListPrice: line.GetListPrice(), UnitPrice: line.GetUnitPrice(),
		})
	}
	return wanted, r.Err()
}

// ShipExchangeLine implements orders.v1.ClaimLines.
func (s *Service) ShipExchangeLine(
	ctx context.Context, request *ordersv1.ShipExchangeLineRequest,
) (*ordersv1.ShipExchangeLineResponse, error) {
	claimNo, name, number := request.GetClaimNo(), request.GetCarrierName(), request.GetTrackingNo()
	ref := request.GetRef()
	if err := checkTexts(field{"claim_no", claimNo, invalid.ClaimNo}, field{"ref", ref, invalid.ID.Optional()}); err != nil {
		return nil, err
	}
	parcel, err := carrier.ParseShipment(name, number, nil)
	if err != nil {
		return nil, err
	}
	settled, err := s.Holds.Decide(ctx, claimNo, func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.ShipExchangeLine(hold, ref, parcel, s.Terms, newID)
	})
	return &ordersv1.ShipExchangeLineResponse{Lines: settledLines(&settled)}, err
}

// CancelReshipment implements orders.v1.ClaimLines.
func (s *Service) CancelReshipment(
	ctx context.Context, request *ordersv1.CancelReshipmentRequest,
) (*ordersv1.CancelReshipmentResponse, error) {
	claimNo, ref := request.GetClaimNo(), request.GetRef()
	if err := checkTexts(field{"claim_no", claimNo, invalid.ClaimNo}, field{"ref", ref, invalid.ID}); err != nil {
		return nil, err
	}
	_, err := s.Holds.Decide(ctx, claimNo, func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.CancelReshipment(hold, ref)
	})
	return &ordersv1.CancelReshipmentResponse{}, err
}
