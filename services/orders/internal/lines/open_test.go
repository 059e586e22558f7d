package lines_test

import (
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// openings are the facts that a claim receives when it gets its hold.
func openings() []scenario {
	return []scenario{
		{"facts", []NewLine{in("delivered", 3), in("paid", 2)}, opensWithFacts},
		{"order_of_the_request", []NewLine{in("paid", 2), in("preparing", 1)}, opensInTheOrderOfTheRequest},
		{"repeated_after_a_change", []NewLine{in("delivered", 2)}, opensAgainAfterAChange},
		{"seller_quantity", []NewLine{in("delivered", 3), in("delivered", 1)}, countsWhatWasBought},
		{"exchange_line", []NewLine{in("delivered", 2)}, opensOnAnExchangeLine},
	}
}

func opensWithFacts(b *fixture) {
	opened := b.open("C-1", giveBack, b.pieces(0, 2))
	require.Equal(b.t, text(&ordersv1.OpenResponse{
		Lines: []*ordersv1.LineFacts{{
			ItemId: b.items[0], ItemCode: b.no + "-01", ProductId: ProductID, ProductName: ProductName, OptionName: OptionName,
			Quantity: 3, UnitPrice: UnitPrice, LinePaidAmount: 3*UnitPrice - 1, ItemStatus: "delivered",
			DeliveredAt: timestamppb.New(DeliveredAt),
		}},
		Currency: Currency, ShippingFeePaid: ShippingFee, SellerQuantity: 5, PaidAt: timestamppb.New(PaidAt),
	}), text(opened))
	require.Equal(b.t, []Line{
		{
			ID: b.items[0], Seller: Seller, Code: b.no + "-01", State: "delivered", OptionName: OptionName,
			Quantity: 3, Paid: 3*UnitPrice - 1, HasActiveClaim: true,
		},
		{ID: b.items[1], Seller: Seller, Code: b.no + "-02", State: "paid", OptionName: OptionName, Quantity: 2, Paid: 2*UnitPrice - 1},
		{ID: b.items[2], Seller: Other, Code: b.no + "-03", State: "paid", OptionName: OptionName, Quantity: 1, Paid: UnitPrice},
	}, b.Lines(b.t, b.no), "the line is held and nothing else has changed")
}

func opensInTheOrderOfTheRequest(b *fixture) {
	opened := b.open("C-1", cancel, b.pieces(1, 1), b.pieces(0, 2))
	settled := b.settle("C-1")
	for i, id := range []string{b.items[1], b.items[0]} {
		require.Equal(b.t, id, opened.GetLines()[i].GetItemId())
		require.Equal(b.t, id, settled[i].GetItemId())
		require.Nil(b.t, opened.GetLines()[i].GetDeliveredAt(), "it has not arrived")
	}
	require.Len(b.t, opened.GetLines(), 2)
	require.Len(b.t, settled, 2)
}

// A caller that has not received the response retries, and the order has changed meanwhile.
func opensAgainAfterAChange(b *fixture) {
	request := b.opening("C-1", giveBack, b.pieces(0, 2))
	first, err := b.Open(b.t.Context(), request)
	require.NoError(b.t, err)
	b.correct(b.items[0], "shipping")
	repeats(b, b.Open, request, first)
}

func countsWhatWasBought(b *fixture) {
	b.exchange("C-1", 0)
	b.reship("C-1", parcelA)
	require.Equal(b.t, int64(4), b.open("C-2", giveBack, b.pieces(0, 1)).GetSellerQuantity(),
		"what was split off counts, what replaces it does not")
	b.settle("C-2")
	require.Equal(b.t, int64(4), b.open("C-3", giveBack, b.pieces(1, 1)).GetSellerQuantity())
}

// Goods that were delivered by an exchange can be returned like others.
func opensOnAnExchangeLine(b *fixture) {
	b.open("C-1", exchange, b.pieces(0, 2))
	fresh := b.add("C-1", 0)[0]
	b.reship("C-1", parcelA)
	b.correct(fresh, "delivered")
	opened := b.open("C-2", giveBack, &ordersv1.ClaimedLine{ItemId: fresh, Quantity: 2})
	facts := opened.GetLines()[0]
	require.True(b.t, facts.GetDeliveredAt().AsTime().After(DeliveredAt))
	facts.DeliveredAt = nil
	require.Equal(b.t, text(&ordersv1.LineFacts{
		ItemId: fresh, ItemCode: b.no + "-03", ProductId: ProductID, ProductName: ProductName, OptionName: "파랑 / L",
		Quantity: 2, UnitPrice: 2500, LinePaidAmount: 5000, ItemStatus: "delivered",
	}), text(facts), "a piece costs half of what was paid and of the old line's discount")
	require.True(b.t, opened.GetWholeRemainder(), "the exchanged line is not left")
	require.Equal(b.t, int64(2), opened.GetSellerQuantity())
}

// refusedOpenings are holds that lines do not allow.
func refusedOpenings() []scenario {
	return []scenario{
		{"order_not_found", []NewLine{in("paid", 1)}, refusesOtherOrders},
		{"item_not_found", []NewLine{in("paid", 1)}, refusesOtherItems},
		{"held", []NewLine{in("delivered", 2), in("delivered", 1)}, func(b *fixture) {
			b.open("C-1", giveBack, b.pieces(0, 1))
			refuses(b, hasActiveClaim, b.Open, b.opening("C-2", giveBack, b.pieces(0, 1)))
			refuses(b, hasActiveClaim, b.Open, b.opening("C-3", exchange, b.pieces(1, 1), b.pieces(0, 1)))
		}},
		{"exchange_line", []NewLine{in("delivered", 1)}, refusesToCancelAnExchangeLine},
	}
}

func refusesOtherOrders(b *fixture) {
	for _, change := range []func(*ordersv1.OpenRequest){
		func(r *ordersv1.OpenRequest) { r.OrderNo = b.no + "-0" },
		func(r *ordersv1.OpenRequest) { r.OrderNo = "" },
		func(r *ordersv1.OpenRequest) { r.OrderNo = "\x00" },
		func(r *ordersv1.OpenRequest) { r.SellerId = unknownID },
	} {
		request := b.opening("C-1", cancel, b.pieces(0, 1))
		change(request)
		refuses(b, orderNotFound, b.Open, request)
	}
}

// unknownID is the id of no record.
const unknownID = "0a6f3bb1-5d0c-4f0e-9a53-0c1f6c0e7d99"

func refusesOtherItems(b *fixture) {
	_, elsewhere := b.place(in("paid", 1))
	for _, id := range []string{unknownID, elsewhere[0], b.items[1]} {
		other := &ordersv1.ClaimedLine{ItemId: id, Quantity: 1}
		refuses(b, itemNotFound, b.Open, b.opening("C-1", cancel, other))
		refuses(b, itemNotFound, b.Open, b.opening("C-1", cancel, b.pieces(0, 1), other))
	}
}

func refusesToCancelAnExchangeLine(b *fixture) {
	b.open("C-1", exchange, b.pieces(0, 1))
	fresh := b.add("C-1", 0)[0]
	refuses(b, notApprovable("exchange"), b.Open, b.opening("C-2", cancel, &ordersv1.ClaimedLine{ItemId: fresh, Quantity: 1}))
}
