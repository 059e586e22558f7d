package intake

import (
	"context"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/structpb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/changes"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/timestamp"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/services/orders/internal/order"
)

// Followed is the part of the store that the marketplace reads.
type Followed interface {
	// Find returns one of the seller's orders, or ORDER_NOT_FOUND.
	Find(ctx context.Context, sellerID uuid.UUID, orderNo string) (*order.Order, error)
	// Private returns what no seller sees of the seller's orders, by their ids.
	Private(ctx context.Context, sellerID uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]order.Private, error)
}

// Changes implements orders.v1.Changes.
type Changes struct {
	Orders  Followed
	List    changes.List[order.Order]
	Sellers changes.Sellers
}

var _ ordersv1connect.ChangesHandler = (*Changes)(nil)

// ChangedSellers implements orders.v1.Changes.
func (c *Changes) ChangedSellers(ctx context.Context,
	request *ordersv1.ChangedSellersRequest,
) (*ordersv1.ChangedSellersResponse, error) {
	page, err := c.Sellers.Read(ctx, request)
	response := &ordersv1.ChangedSellersResponse{Next: page.Next, More: page.More}
	for _, s := range page.Clocks {
		response.Sellers = append(response.Sellers, &ordersv1.SellerClock{SellerId: s.Seller.String(), Clock: timestamp.Format(s.Last)})
	}
	return response, err
}

// ListChanges implements orders.v1.Changes.
func (c *Changes) ListChanges(ctx context.Context, request *ordersv1.ListChangesRequest) (*ordersv1.ListChangesResponse, error) {
	page, err := c.List.Read(ctx, request)
	if err != nil {
		return nil, err
	}
	found, err := c.changed(ctx, page.Seller, page.Rows, page.Records)
	return &ordersv1.ListChangesResponse{Changes: found, After: page.After, More: page.More}, err
}

// GetOrder implements orders.v1.Changes.
func (c *Changes) GetOrder(ctx context.Context, request *ordersv1.GetOrderRequest) (*ordersv1.GetOrderResponse, error) {
	var p invalid.Problems
	seller := p.UUID("seller_id", request.GetSellerId())
	if err := p.Err(); err != nil {
		return nil, err
	}
	if !order.IsNo(request.GetOrderNo()) {
		return nil, apierr.OrderNotFound
	}
	o, err := c.Orders.Find(ctx, seller, request.GetOrderNo())
	if err != nil {
		return nil, err
	}
	record, err := c.List.Record(o)
	if err != nil {
		return nil, err
	}
	found, err := c.changed(ctx, seller, []order.Order{*o}, []*structpb.Struct{record})
	if err != nil {
		return nil, err
	}
	return &ordersv1.GetOrderResponse{Change: found[0]}, nil
}

// changed adds to the records of orders what no seller sees.
func (c *Changes) changed(ctx context.Context, seller uuid.UUID, orders []order.Order,
	records []*structpb.Struct,
) ([]*ordersv1.ChangedOrder, error) {
	if len(orders) == 0 {
		return nil, nil
	}
	ids := make([]uuid.UUID, len(orders))
	for n := range orders {
		ids[n] = orders[n].ID
	}
	private, err := c.Orders.Private(ctx, seller, ids)
	if err != nil {
		return nil, err
	}
	found := make([]*ordersv1.ChangedOrder, len(orders))
	for n := range orders {
		known := private[ids[n]]
		products := make(map[string]string, len(orders[n].Items))
		for i := range orders[n].Items {
			item := orders[n].Items[i].ID
			products[item.String()] = known.ProductIDs[item]
		}
		found[n] = &ordersv1.ChangedOrder{Record: records[n], MemberId: known.MemberID, ProductIds: products}
	}
	return found, nil
}
