package lines_test

import (
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// Parcels that differ in their carrier or in their number.
var (
	parcelA = Parcel{CarrierName: "한진택배", TrackingNo: "412345678901"}
	parcelB = Parcel{CarrierName: "한진택배", TrackingNo: "412345678902"}
	parcelC = Parcel{CarrierName: "롯데택배", TrackingNo: "412345678901"}
)

// reshipments are completions of exchanges.
func reshipments() []scenario {
	two := []NewLine{in("delivered", 3), in("delivered", 1)}
	return []scenario{
		{"completes", two, completesAnExchange},
		{"not_shipped_now", two[:1], refusesWhatCannotBeShippedNow},
	}
}

func completesAnExchange(b *fixture) {
	b.open("C-1", exchange, b.pieces(0, 2), b.pieces(1, 1))
	fresh := b.add("C-1", 0, 1)
	want := b.Lines(b.t, b.no)
	settled := b.reship("C-1", parcelA)
	require.Len(b.t, settled, 2)
	require.Equal(b.t, b.items[0], settled[0].GetItemId())
	require.Equal(b.t, text(&ordersv1.SettledLine{ItemId: b.items[1], SettledItemId: b.items[1]}), text(settled[1]))

	part := want[0]
	part.ID, part.SplitFrom, part.Code, part.State = settled[0].GetSettledItemId(), b.items[0], b.no+"-06", "exchanged"
	part.Quantity, part.Paid, part.HasActiveClaim = 2, 9999, false
	want[0].Quantity, want[0].Paid, want[0].HasActiveClaim = 1, 5000, false
	want[1].State, want[1].HasActiveClaim = "exchanged", false
	for i, id := range fresh {
		require.Equal(b.t, id, want[3+i].ID)
		want[3+i].State, want[3+i].Parcel = "shipping", parcelA
	}
	require.Equal(b.t, append(want, part), b.Lines(b.t, b.no))
	refuses(b, notReshippable("parcel"), b.ShipExchangeLine, b.reshipping("C-1", parcelB))
	refuses(b, notReshippable("parcel"), b.ShipExchangeLine, b.reshipping("C-1", parcelC))
}

// A line that was shipped and delivered gets a claim of its own, and then an operator corrects it as not
// shipped.
func refusesWhatCannotBeShippedNow(b *fixture) {
	fresh := b.exchange("C-1", 0)[0]
	b.ship(fresh, parcelB)
	b.correct(fresh, "delivered")
	b.open("C-2", giveBack, &ordersv1.ClaimedLine{ItemId: fresh, Quantity: 1})
	b.correct(fresh, "paid")
	require.Zero(b.t, b.line(fresh).Parcel)
	refuses(b, notShippedNow, b.ShipExchangeLine, b.reshipping("C-1", parcelA))
	b.release("C-2")
	b.reship("C-1", parcelA)
	require.Equal(b.t, parcelA, b.line(fresh).Parcel)
}
