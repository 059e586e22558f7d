package sellerapi

import (
	"context"
	"iter"
)

// ListOrders reads one page of orders, latest change first. Orders reads all pages.
func (c *Client) ListOrders(ctx context.Context, filter OrderFilter, options ...CallOption) (OrderList, error) {
	return read[OrderList](ctx, c, listOrders, "", queryOf(filter), options)
}

// Orders iterates over all orders that match the filter, latest change first, reading page after page. An error is the
// last element. After CodeInvalidCursor start again.
func (c *Client) Orders(ctx context.Context, filter OrderFilter, options ...CallOption) iter.Seq2[Order, error] {
	return walk(place{filter.After, filter.Cursor}, func(at place) (OrderList, error) {
		filter.After, filter.Cursor = at.after, at.cursor
		return c.ListOrders(ctx, filter, options...)
	})
}

// GetOrder reads one order.
func (c *Client) GetOrder(ctx context.Context, orderNo string, options ...CallOption) (Order, error) {
	return read[Order](ctx, c, getOrder, orderNo, nil, options)
}

// GetOrderHistory reads what happened to the items of one order, and who caused it.
func (c *Client) GetOrderHistory(ctx context.Context, orderNo string, options ...CallOption) (OrderHistory, error) {
	return read[OrderHistory](ctx, c, getOrderHistory, orderNo, nil, options)
}

// PrepareOrder moves items from paid to preparing, all of them or none.
func (c *Client) PrepareOrder(ctx context.Context, orderNo string, request ItemsRequest,
	options ...CallOption,
) (PreparationResult, error) {
	reached := func(ctx context.Context) (PreparationResult, bool, error) {
		order, err := c.GetOrder(ctx, orderNo)
		if err != nil {
			return PreparationResult{}, false, err
		}
		result, there := order.prepared(request)
		return result, there, nil
	}
	return process(ctx, c, prepareOrder, orderNo, request, reached, options)
}

// ShipOrder moves items from paid or preparing to shipping in one parcel, all of them or none. A shipment is not
// corrected here; a different one fails with CodeShipmentStateConflict.
func (c *Client) ShipOrder(ctx context.Context, orderNo string, request ShipmentRequest,
	options ...CallOption,
) (ShipmentResult, error) {
	return process(ctx, c, shipOrder, orderNo, request, c.shipped(orderNo, request), options)
}

// ShipOrders registers up to 500 parcels, each independently. It also succeeds if parcels fail: check Failed. Send the
// failed parcels again in a new call.
func (c *Client) ShipOrders(ctx context.Context, request BatchShipmentRequest,
	options ...CallOption,
) (BatchShipmentResult, error) {
	return process[BatchShipmentResult](ctx, c, shipOrders, "", request, nil, options)
}

// CheckShipments returns what ShipOrders would return now, and ships nothing. An installation without this operation answers with
// status 404 and no code.
func (c *Client) CheckShipments(ctx context.Context, request BatchShipmentRequest,
	options ...CallOption,
) (BatchShipmentResult, error) {
	return process[BatchShipmentResult](ctx, c, checkShipments, "", request, nil, options)
}

// CorrectShipment puts items in shipping into another parcel, all of them or none. An installation without this operation, and
// one where the marketplace has not enabled it for the seller, answers with status 404 and no code.
func (c *Client) CorrectShipment(ctx context.Context, orderNo string, request ShipmentRequest,
	options ...CallOption,
) (ShipmentResult, error) {
	return process(ctx, c, correctShipment, orderNo, request, c.shipped(orderNo, request), options)
}

// shipped returns the function that looks whether items are in their parcel.
func (c *Client) shipped(orderNo string, request ShipmentRequest) func(context.Context) (ShipmentResult, bool, error) {
	return func(ctx context.Context) (ShipmentResult, bool, error) {
		order, err := c.GetOrder(ctx, orderNo)
		if err != nil {
			return ShipmentResult{}, false, err
		}
		result, there := order.shipped(request)
		return result, there, nil
	}
}

// DeliverOrder moves items from shipping to delivered, all of them or none.
func (c *Client) DeliverOrder(ctx context.Context, orderNo string, request ItemsRequest,
	options ...CallOption,
) (DeliveryResult, error) {
	reached := func(ctx context.Context) (DeliveryResult, bool, error) {
		order, err := c.GetOrder(ctx, orderNo)
		if err != nil {
			return DeliveryResult{}, false, err
		}
		result, there := order.delivered(request)
		return result, there, nil
	}
	return process(ctx, c, deliverOrder, orderNo, request, reached, options)
}
