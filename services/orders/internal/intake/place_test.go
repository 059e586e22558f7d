package intake_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/orders/internal/order"
)

const (
	isPlaced        = ordersv1.PlaceOutcome_PLACE_OUTCOME_PLACED
	isAlreadyPlaced = ordersv1.PlaceOutcome_PLACE_OUTCOME_ALREADY_PLACED
	isConflict      = ordersv1.PlaceOutcome_PLACE_OUTCOME_CONFLICT
)

// No field of an order is lost or mixed up with another on the way in.
func TestPlace_seenAsSent(t *testing.T) {
	t.Parallel()
	p := setup(t)
	sent := p.newOrder("A-1")
	paidAt := time.Date(2025, 5, 1, 10, 0, 0, 123_456_789, time.UTC)
	sent.PaidAt = timestamppb.New(paidAt)
	company := ""
	line := sent.GetSellers()[0].GetLines()[0]
	line.History = []*ordersv1.PastChange{
		{ItemStatus: "preparing", ChangedAt: timestamppb.New(paidAt.Add(time.Hour))},
		{ItemStatus: "shipping", ChangedAt: timestamppb.New(paidAt.Add(2 * time.Hour))},
	}
	line.Shipment = &ordersv1.Shipment{CarrierName: "한진택배", TrackingNo: "412345678901", LogisticsCompany: &company}
	results, err := p.place(sent)
	require.NoError(t, err)
	require.Len(t, results, 1)
	require.True(t, proto.Equal(&ordersv1.PlaceResult{OrderNo: "A-1", Outcome: isPlaced, ItemIds: []string{line.GetItemId()}},
		results[0]), results)

	found, err := p.store.Find(t.Context(), p.seller, "A-1")
	require.NoError(t, err)
	require.Equal(t, &order.Order{
		ID: found.ID, UpdatedAt: found.UpdatedAt,
		No: "A-1", Currency: "KRW", Status: order.StatusShipping, SellerStatus: order.StatusShipping,
		PaidAt: paidAt.Truncate(time.Microsecond),
		Contact: order.Contact{
			OrdererName: "김민준", OrdererPhone: "1", RecipientName: "이서연", RecipientPhone: "2", Zipcode: "3", Address1: "4",
			Address2: "5", ShipMemo: "6",
		},
		Charges: order.Charges{PointUsed: 500, ShippingFeeBase: 3000, ShippingFeePaid: 2500},
		Items: []order.Item{{
			ID: uuid.MustParse(line.GetItemId()), Seq: 1, ProductName: "티셔츠", OptionName: "M", Quantity: 2,
			Prices: order.Prices{List: 15_900, Unit: 12_900, Line: 25_800, Discount: 1000, Paid: 24_800}, State: order.Shipping,
			CarrierName: "한진택배", TrackingNo: "412345678901", LogisticsCompany: &company,
			ShippedAt: paidAt.Add(2 * time.Hour).Truncate(time.Microsecond),
		}},
	}, found)
}

// Placing is idempotent by the order's number; the same number with other content is a conflict.
func TestPlace_idempotentByNumber(t *testing.T) {
	t.Parallel()
	p := setup(t)
	one, two := p.newOrder("A-1"), p.newOrder("A-2")
	two.GetSellers()[0].GetLines()[0].ItemId = ""
	first, err := p.place(one, two)
	require.NoError(t, err)
	require.Equal(t, isPlaced, first[0].GetOutcome())
	require.NotEmpty(t, first[1].GetItemIds()[0], "an id was chosen")

	other := p.newOrder("A-1")
	again, err := p.place(two, other, one)
	require.NoError(t, err)
	require.Equal(t, isAlreadyPlaced, again[0].GetOutcome())
	require.Equal(t, first[1].GetItemIds(), again[0].GetItemIds())
	require.Equal(t, isConflict, again[1].GetOutcome())
	require.Empty(t, again[1].GetItemIds())
	require.Equal(t, isAlreadyPlaced, again[2].GetOutcome())
	require.ElementsMatch(t, []string{"A-1", "A-2"}, p.visible())
}

// A call without orders has no results and no error.
func TestPlace_noOrders(t *testing.T) {
	t.Parallel()
	results, err := setup(t).place()
	require.NoError(t, err)
	require.Empty(t, results)
}

// Each row breaks one field of the second order. The error names its path, and the first order is not placed either.
func TestPlace_malformedOrderFailsCall(t *testing.T) {
	t.Parallel()
	p := setup(t)
	line := func(o *ordersv1.Order) *ordersv1.Line { return o.GetSellers()[0].GetLines()[0] }
	for field, spoil := range map[string]func(*ordersv1.Order){
		"order_no":                            func(o *ordersv1.Order) { o.OrderNo = "a" },
		"member_id":                           func(o *ordersv1.Order) { o.MemberId = "" },
		"currency":                            func(o *ordersv1.Order) { o.Currency = "" },
		"paid_at":                             func(o *ordersv1.Order) { o.PaidAt = timestamppb.New(time.Now().Add(time.Hour)) },
		"contact.address1":                    func(o *ordersv1.Order) { o.Contact.Address1 = "\x00" },
		"sellers":                             func(o *ordersv1.Order) { o.Sellers = nil },
		"sellers[0].seller_id":                func(o *ordersv1.Order) { o.Sellers[0].SellerId = "seller" },
		"sellers[0].lines":                    func(o *ordersv1.Order) { o.Sellers[0].Lines = nil },
		"sellers[0].shipping_fee_paid":        func(o *ordersv1.Order) { o.Sellers[0].ShippingFeePaid = -1 },
		"sellers[0].lines[0].item_id":         func(o *ordersv1.Order) { line(o).ItemId = "item" },
		"sellers[0].lines[0].product_name":    func(o *ordersv1.Order) { line(o).ProductName = "" },
		"sellers[0].lines[0].quantity":        func(o *ordersv1.Order) { line(o).Quantity = 0 },
		"sellers[0].lines[0].unit_price":      func(o *ordersv1.Order) { line(o).UnitPrice = -1 },
		"sellers[0].lines[0].discount_amount": func(o *ordersv1.Order) { line(o).DiscountAmount = 25_801 },
		"sellers[0].lines[0].shipment": func(o *ordersv1.Order) {
			line(o).Shipment = &ordersv1.Shipment{CarrierName: "한진택배", TrackingNo: "1"}
		},
		"sellers[0].lines[0].history[0].changed_at": func(o *ordersv1.Order) {
			line(o).History = []*ordersv1.PastChange{{ItemStatus: "preparing"}}
		},
		"sellers[0].lines[0].history[0].item_status": func(o *ordersv1.Order) {
			line(o).History = []*ordersv1.PastChange{{ItemStatus: "exchanged", ChangedAt: timestamppb.Now()}}
			line(o).Shipment = &ordersv1.Shipment{CarrierName: "한진택배", TrackingNo: "1"}
		},
	} {
		bad := p.newOrder("A-2")
		spoil(bad)
		_, err := p.place(p.newOrder("A-1"), bad)
		if field == "sellers[0].lines[0].history[0].changed_at" {
			require.ErrorContains(t, err, "orders[1]."+field+": is not a timestamp")
			continue
		}
		requireInvalid(t, err, "orders[1]."+field)
	}
	require.Empty(t, p.visible())
}

// The error for an invalid timestamp names its path.
func TestPlace_invalidTimestamps(t *testing.T) {
	t.Parallel()
	p := setup(t)
	for _, bad := range []*timestamppb.Timestamp{{Nanos: -1}, {Nanos: 1_000_000_000}, {Seconds: 1 << 60}} {
		sent := p.newOrder("A-1")
		sent.PaidAt = bad
		_, err := p.place(sent)
		require.ErrorContains(t, err, "orders[0].paid_at: is not a timestamp")
	}
}

// The error for an item id of another order names its path, and nothing of the call is placed.
func TestPlace_itemIDOfAnotherOrder(t *testing.T) {
	t.Parallel()
	p := setup(t)
	there, taking := p.newOrder("A-1"), p.newOrder("A-2")
	_, err := p.place(there)
	require.NoError(t, err)
	taking.GetSellers()[0].GetLines()[0].ItemId = there.GetSellers()[0].GetLines()[0].GetItemId()
	_, err = p.place(p.newOrder("A-3"), taking)
	requireInvalid(t, err, "orders[1].sellers[0].lines[0].item_id")
	_, err = p.place(p.newOrder("A-3"), there, taking)
	requireInvalid(t, err, "orders[2].sellers[0].lines[0].item_id")
	require.Equal(t, []string{"A-1"}, p.visible())
}

// A call places at most five thousand orders.
func TestPlace_atMostFiveThousandOrders(t *testing.T) {
	t.Parallel()
	p := setup(t)
	orders := make([]*ordersv1.Order, 5001)
	for i := range orders {
		orders[i] = p.newOrder(fmt.Sprintf("A-%d", i))
	}
	_, err := p.place(orders...)
	requireInvalid(t, err, "orders")
	results, err := p.place(orders[:5000]...)
	require.NoError(t, err)
	require.Len(t, results, 5000)
}

// Only the first hundred problems of a call are reported.
func TestPlace_reportsLimitedProblems(t *testing.T) {
	t.Parallel()
	p := setup(t)
	orders := make([]*ordersv1.Order, 300)
	for i := range orders {
		orders[i] = p.newOrder(fmt.Sprintf("small %d", i))
	}
	_, err := p.place(orders...)
	require.ErrorContains(t, err, "orders[99].order_no")
	require.NotContains(t, err.Error(), "orders[100]")
}

// A parcel that a line comes with is refused for what every shipment is refused for, and is shown in its normal form; a
// repetition is recognised by what was sent.
func TestPlace_pastParcel(t *testing.T) {
	t.Parallel()
	p := setup(t)
	shipped := func(no, carrierName, trackingNo string) *ordersv1.Order {
		sent := p.newOrder(no)
		line := sent.GetSellers()[0].GetLines()[0]
		line.History = []*ordersv1.PastChange{{ItemStatus: "shipping", ChangedAt: sent.GetPaidAt()}}
		line.Shipment = &ordersv1.Shipment{CarrierName: carrierName, TrackingNo: trackingNo}
		return sent
	}
	for _, row := range []struct{ field, carrierName, trackingNo string }{
		{"carrier_name", "DHL", "612345678904"}, {"carrier_name", " ", "612345678904"}, {"tracking_no", "한진택배", " - "},
	} {
		_, err := p.place(p.newOrder("A-1"), shipped("A-2", row.carrierName, row.trackingNo))
		requireInvalid(t, err, "orders[1].sellers[0].lines[0].shipment."+row.field)
	}
	require.Empty(t, p.visible())
	sent := shipped("A-2", " CJ대한통운 ", "6123-4567-8904")
	for _, outcome := range []ordersv1.PlaceOutcome{
		ordersv1.PlaceOutcome_PLACE_OUTCOME_PLACED,
		ordersv1.PlaceOutcome_PLACE_OUTCOME_ALREADY_PLACED,
	} {
		results, err := p.place(sent)
		require.NoError(t, err)
		require.Equal(t, outcome, results[0].GetOutcome())
	}
	item := p.seen("A-2")
	require.Equal(t, []string{"CJ대한통운", "612345678904"}, []string{item.CarrierName, item.TrackingNo})
}
