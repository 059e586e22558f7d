package lines_test

import (
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// maxAmount is the maximum amount of the replacement goods.
const maxAmount = 1_000_000_000_000

// replacements are the lines that replace exchanged goods.
func replacements() []scenario {
	two := []NewLine{in("delivered", 3), in("delivered", 1)}
	return []scenario{
		{"new_lines", two, addsExchangeLines},
		{"open_and_sealed", two[:1], opensAndSeals},
		{"limits", two, addsWithinLimits},
		{"prices", two, showsThePriceOfTheOption},
		{"repeated_after_end", two[:1], func(b *fixture) {
			first := b.exchange("C-1", 0)
			b.reship("C-1", parcelA)
			repeats(b, b.AddExchangeLine, b.adding("C-1", 0), &ordersv1.AddExchangeLineResponse{ExchangeItemIds: first})
		}},
	}
}

// addsExchangeLines replaces two lines, requested in another order than that of the hold.
func addsExchangeLines(b *fixture) {
	b.open("C-1", exchange, b.pieces(0, 2), b.pieces(1, 1))
	want := b.Lines(b.t, b.no)
	ids := does(b, b.AddExchangeLine, &ordersv1.AddExchangeLineRequest{ClaimNo: b.number("C-1"), Lines: []*ordersv1.ExchangeLine{
		{ItemId: b.items[1], ExchangeOptionName: "파랑 / L", LinePaidAmount: 7000},
		{ItemId: b.items[0], ExchangeOptionName: "검정 / S", LinePaidAmount: 9000},
	}}).GetExchangeItemIds()
	require.Len(b.t, ids, 2)
	require.Equal(b.t, append(want,
		Line{
			ID: ids[0], Seller: Seller, Code: b.no + "-04", State: "paid", OptionName: "파랑 / L", Quantity: 1,
			Paid: 7000, IsExchange: true,
		},
		Line{
			ID: ids[1], Seller: Seller, Code: b.no + "-05", State: "paid", OptionName: "검정 / S", Quantity: 2,
			Paid: 9000, IsExchange: true,
		},
	), b.Lines(b.t, b.no), "what is exchanged stays as it is and is held")
}

// A client that sees the exchange reshipping can prepare and ship the goods, and the exchanged line cannot be
// changed.
func opensAndSeals(b *fixture) {
	b.open("C-1", exchange, b.pieces(0, 1))
	fresh := b.add("C-1", 0)[0]
	b.remains(b.items[0])
	require.NoError(b.t, b.Prepare(b.t, b.no, fresh))
	b.ship(fresh, parcelA)
	require.Equal(b.t, parcelA, b.line(fresh).Parcel)
}

func addsWithinLimits(b *fixture) {
	b.open("C-1", exchange, b.pieces(0, 1), b.pieces(1, 1))
	request := b.adding("C-1", 0, 1)
	request.Lines[0].LinePaidAmount, request.Lines[0].ExchangeOptionName = 0, ""
	request.Lines[1].LinePaidAmount, request.Lines[1].ExchangeOptionName = maxAmount, characters(500)
	ids := does(b, b.AddExchangeLine, request).GetExchangeItemIds()
	for i, id := range ids {
		line := b.line(id)
		require.Equal(b.t, request.GetLines()[i].GetLinePaidAmount(), line.Paid)
		require.Equal(b.t, request.GetLines()[i].GetExchangeOptionName(), line.OptionName)
	}
}

// showsThePriceOfTheOption exchanges two pieces, for which nothing remains to be paid, and then claims their replacement. A price
// that does not cover what is paid, or that no line can have, is refused.
func showsThePriceOfTheOption(b *fixture) {
	b.open("C-1", exchange, b.pieces(0, 2))
	request := b.adding("C-1", 0)
	for price, paid := range map[int64]int64{700: 1401, maxAmount/2 + 1: 0} {
		request.Lines[0].UnitPrice, request.Lines[0].LinePaidAmount = price, paid
		refuses(b, notInspectable("replacement"), b.AddExchangeLine, request)
	}
	request.Lines[0].UnitPrice, request.Lines[0].LinePaidAmount = 700, 0
	fresh := does(b, b.AddExchangeLine, request).GetExchangeItemIds()[0]
	b.reship("C-1", parcelA)
	b.correct(fresh, "delivered")
	facts := b.open("C-2", giveBack, &ordersv1.ClaimedLine{ItemId: fresh, Quantity: 1}).GetLines()[0]
	require.Equal(b.t, []int64{700, 0}, []int64{facts.GetUnitPrice(), facts.GetLinePaidAmount()})
}
