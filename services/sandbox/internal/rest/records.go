package rest

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
)

func (a *API) order(ctx context.Context, seller uuid.UUID, number string) (*ordersv1.ChangedOrder, error) {
	found, err := a.OrderRecords.GetOrder(ctx, &ordersv1.GetOrderRequest{SellerId: seller.String(), OrderNo: number})
	return found.GetChange(), err
}

func (a *API) claim(ctx context.Context, seller uuid.UUID, number string) (*claimsv1.ChangedClaim, error) {
	found, err := a.ClaimRecords.GetClaim(ctx, &claimsv1.GetClaimRequest{SellerId: seller.String(), ClaimNo: number})
	return found.GetChange(), err
}

func (a *API) inquiry(ctx context.Context, seller uuid.UUID, id string) (*qnav1.ChangedInquiry, error) {
	found, err := a.QnARecords.GetInquiry(ctx, &qnav1.GetInquiryRequest{SellerId: seller.String(), QnaId: id})
	return found.GetChange(), err
}

// answer is the data of every answer.
type answer struct {
	Happened  string           `json:"happened"`
	OrderNo   *string          `json:"order_no"`
	ClaimNo   *string          `json:"claim_no"`
	QnaID     *string          `json:"qna_id"`
	Shortfall int64            `json:"shortfall_amount"`
	Orders    []map[string]any `json:"orders"`
	Claims    []map[string]any `json:"claims"`
	Inquiries []map[string]any `json:"inquiries"`
}

// show reads the records that were changed, as GET /open/v1 shows them now.
func (a *API) show(ctx context.Context, seller uuid.UUID, done happened, lang apierr.Lang) (answer, error) {
	shown := answer{
		Happened: done.said.In(lang), OrderNo: orNull(done.orderNo), ClaimNo: orNull(done.claimNo), QnaID: orNull(done.qnaID),
		Shortfall: done.shortfall, Orders: []map[string]any{}, Claims: []map[string]any{}, Inquiries: []map[string]any{},
	}
	for _, number := range done.orders {
		found, err := a.order(ctx, seller, number)
		if errors.Is(err, apierr.OrderNotFound) { // it is not paid
			continue
		}
		if err != nil {
			return answer{}, err
		}
		shown.Orders = append(shown.Orders, found.GetRecord().AsMap())
	}
	for _, number := range done.claims {
		found, err := a.claim(ctx, seller, number)
		if err != nil {
			return answer{}, err
		}
		shown.Claims = append(shown.Claims, found.GetRecord().AsMap())
	}
	for _, id := range done.inquiries {
		found, err := a.inquiry(ctx, seller, id)
		if err != nil {
			return answer{}, err
		}
		shown.Inquiries = append(shown.Inquiries, found.GetRecord().AsMap())
	}
	return shown, nil
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// line is a line of an order, of the members of the record that the sandbox decides by.
type line struct {
	id, status, carrier string
	quantity            int64
	claimed             bool
}

// linesOf returns the seller's lines of an order.
func linesOf(order *ordersv1.ChangedOrder) []line {
	listed, _ := order.GetRecord().AsMap()["items"].([]any)
	lines := make([]line, 0, len(listed))
	for _, one := range listed {
		item, _ := one.(map[string]any)
		quantity, _ := item["quantity"].(float64)
		claimed, _ := item["has_active_claim"].(bool)
		lines = append(lines, line{
			id: text(item["item_id"]), status: text(item["item_status"]), carrier: text(item["carrier_name"]),
			quantity: int64(quantity), claimed: claimed,
		})
	}
	return lines
}

func text(value any) string {
	text, _ := value.(string)
	return text
}
