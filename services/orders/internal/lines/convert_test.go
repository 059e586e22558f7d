package lines_test

import (
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// conversions are returns that replace exchanges.
func conversions() []scenario {
	two := []NewLine{in("delivered", 3), in("delivered", 1)}
	return []scenario{
		{"closed_first", two[:1], closesFirst},
		{"chain", two[:1], func(b *fixture) {
			b.exchange("C-1", 0)
			b.convert("C-1", "R-1")
			refuses(b, notApprovable("hold"), b.Convert, b.conversion("R-1", "R-2"))
			refuses(b, notApprovable("hold"), b.Convert, b.conversion("C-1", "R-2"))
			b.release("R-1")
			b.exchange("C-2", 0)
			b.convert("C-2", "R-2")
			b.settle("R-2")
		}},
	}
}

// closesFirst checks that closed exchange lines stay, nothing can be done with them, and a repetition cancels them.
func closesFirst(b *fixture) {
	fresh := b.exchange("C-1", 0)[0]
	closing := b.conversion("C-1", "R-1")
	closing.CloseOnly = true
	does(b, b.Convert, closing)
	require.Equal(b.t, "paid", b.line(fresh).State)
	repeats(b, b.Convert, closing, &ordersv1.ConvertResponse{})
	require.Error(b.t, b.Prepare(b.t, b.no, fresh))
	require.Error(b.t, b.Ship(b.t, b.no, fresh, parcelA))
	require.Error(b.t, b.Correct(b.t, b.no, fresh, "preparing", Parcel{}))
	refuses(b, notApprovable("exchange"), b.Open, b.opening("C-2", cancel, &ordersv1.ClaimedLine{ItemId: fresh, Quantity: 1}))
	quietly(b, b.Freeze, b.freezing(false, 1))
	require.Error(b.t, b.Ship(b.t, b.no, fresh, parcelA))
	refuses(b, notApprovable("hold"), b.Convert, b.conversion("C-1", "R-2"))
	require.True(b.t, b.check("R-1", Parcel{}).GetHolds())
	b.convert("C-1", "R-1")
	require.Equal(b.t, "canceled", b.line(fresh).State)
	repeats(b, b.Convert, closing, &ordersv1.ConvertResponse{})
	b.settle("R-1")
}

// touches are changes of claims that change no line.
func touches() []scenario {
	return []scenario{
		{"after_the_end", []NewLine{in("paid", 1)}, func(b *fixture) {
			b.open("C-1", cancel, b.pieces(0, 1))
			b.release("C-1")
			does(b, b.Touch, &ordersv1.TouchRequest{ClaimNo: b.number("C-1"), Step: "reject"})
		}},
	}
}

// checks are read-only calls of Check.
func checks() []scenario {
	two := []NewLine{in("delivered", 3), in("delivered", 1)}
	return []scenario{
		{"facts", two, checksFacts},
		{"holds", two[:1], checksHolds},
		{"exchange_shipped", two, func(b *fixture) {
			b.open("C-1", exchange, b.pieces(0, 1), b.pieces(1, 1))
			require.False(b.t, b.check("C-1", Parcel{}).GetExchangeShipped())
			fresh := b.add("C-1", 0, 1)
			require.False(b.t, b.check("C-1", Parcel{}).GetExchangeShipped())
			b.ship(fresh[1], parcelA)
			require.True(b.t, b.check("C-1", Parcel{}).GetExchangeShipped(), "on the order's side")
			b.reship("C-1", parcelA)
			require.True(b.t, b.check("C-1", Parcel{}).GetExchangeShipped(), "by the claim")
		}},
		{"not_reshippable", two, checksParcels},
		{"parcel", two[:1], func(b *fixture) {
			b.open("C-1", exchange, b.pieces(0, 1))
			refuses(b, noSuchCarrier, b.Check, &ordersv1.CheckRequest{ClaimNo: b.number("C-1"), TrackingNo: parcelA.TrackingNo})
			refuses(b, noTrackingNo, b.Check, &ordersv1.CheckRequest{ClaimNo: b.number("C-1"), CarrierName: parcelA.CarrierName})
		}},
	}
}

// checksFacts checks that the facts describe the lines as they are now, in the order of the claim.
func checksFacts(b *fixture) {
	opened := b.open("C-1", giveBack, b.pieces(1, 1), b.pieces(0, 2))
	requireFacts := func(holds bool, want []*ordersv1.LineFacts) {
		require.Equal(b.t, text(&ordersv1.CheckResponse{Holds: holds, Lines: want}), text(b.check("C-1", Parcel{})))
	}
	requireFacts(true, opened.GetLines())
	b.settle("C-1")
	opened.Lines[0].ItemStatus = "returned"
	opened.Lines[1].Quantity, opened.Lines[1].LinePaidAmount = 1, 5000
	requireFacts(false, opened.GetLines())
}

func checksHolds(b *fixture) {
	b.open("C-1", exchange, b.pieces(0, 1))
	require.True(b.t, b.check("C-1", Parcel{}).GetHolds())
	b.correct(b.items[0], "shipping")
	require.False(b.t, b.check("C-1", Parcel{}).GetHolds(), "it cannot complete from there")
	b.correct(b.items[0], "delivered")
	b.convert("C-1", "R-1")
	require.False(b.t, b.check("C-1", Parcel{}).GetHolds(), "the return has it")
	require.True(b.t, b.check("R-1", Parcel{}).GetHolds())
	b.release("R-1")
	require.False(b.t, b.check("R-1", Parcel{}).GetHolds())
}

// checksParcels checks that Check returns the reason with which a reshipment would be refused.
func checksParcels(b *fixture) {
	requireReason := func(want string, parcel Parcel) {
		b.t.Helper()
		require.Equal(b.t, want, b.check("C-1", parcel).GetNotReshippable())
		_, err := b.ShipExchangeLine(b.t.Context(), b.reshipping("C-1", parcel))
		if want == "" {
			require.NoError(b.t, err)
			return
		}
		require.Equal(b.t, notReshippable(want), refusalOf(b.t, err))
	}
	b.open("C-1", exchange, b.pieces(0, 1), b.pieces(1, 1))
	require.Empty(b.t, b.check("C-1", Parcel{}).GetNotReshippable(), "there is no parcel")
	requireReason("replacement", parcelA)
	fresh := b.add("C-1", 0, 1)
	b.ship(fresh[0], parcelA)
	requireReason("parcel", parcelB)
	requireReason("", parcelA)
	requireReason("parcel", parcelC)
	requireReason("", parcelA)
}
