package claimlinestest

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
		{"completes_prepared", two[:1], func(b *fixture) {
			fresh := b.exchange("C-1", 0)[0]
			require.NoError(b.t, b.Prepare(b.t, b.no, fresh))
			b.reship("C-1", parcelA)
			require.Equal(b.t, "shipping", b.line(fresh).State)
		}},
		{"replacement", two, func(b *fixture) {
			b.open("C-1", exchange, b.pieces(0, 1))
			refuses(b, notReshippable("replacement"), b.ShipExchangeLine, b.reshipping("C-1", parcelA))
			b.open("C-2", giveBack, b.pieces(1, 1))
			refuses(b, notReshippable("replacement"), b.ShipExchangeLine, b.reshipping("C-2", parcelA))
		}},
		{"hold_is_gone", two[:1], func(b *fixture) {
			b.ship(b.exchange("C-1", 0)[0], parcelA)
			b.release("C-1")
			refuses(b, notReshippable("hold"), b.ShipExchangeLine, b.reshipping("C-1", parcelA))
		}},
		{"hold_is_a_return", two[:1], func(b *fixture) {
			b.exchange("C-1", 0)
			b.convert("C-1", "R-1")
			refuses(b, notReshippable("hold"), b.ShipExchangeLine, b.reshipping("C-1", parcelA))
			refuses(b, notReshippable("replacement"), b.ShipExchangeLine, b.reshipping("R-1", parcelA))
		}},
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
	require.Empty(b.t, b.check("C-1", parcelA).GetNotReshippable(), "it passes by itself")
	b.release("C-2")
	b.reship("C-1", parcelA)
	require.Equal(b.t, parcelA, b.line(fresh).Parcel)
}

// parcels are exchanges of two lines of which one or both were shipped with the shipment call of the order.
func parcels() []scenario {
	two := []NewLine{in("delivered", 1), in("delivered", 1)}
	return []scenario{
		{"one_shipped_in_this", two, func(b *fixture) {
			fresh := b.exchange("C-1", 0, 1)
			b.ship(fresh[0], parcelA)
			b.reship("C-1", parcelA)
			b.requireParcels(fresh, parcelA, parcelA)
		}},
		{"one_shipped_in_another", two, func(b *fixture) {
			fresh := b.exchange("C-1", 0, 1)
			b.ship(fresh[0], parcelA)
			refuses(b, notReshippable("parcel"), b.ShipExchangeLine, b.reshipping("C-1", parcelB))
			b.requireParcels(fresh, parcelA, Parcel{})
		}},
		{"both_shipped_in_one", two, func(b *fixture) {
			fresh := b.exchange("C-1", 0, 1)
			b.ship(fresh[0], parcelA)
			b.ship(fresh[1], parcelA)
			refuses(b, notReshippable("parcel"), b.ShipExchangeLine, b.reshipping("C-1", parcelC))
			require.Equal(b.t, "delivered", b.line(b.items[0]).State, "shipping on the order's side completes nothing")
			b.reship("C-1", parcelA)
			b.requireParcels(fresh, parcelA, parcelA)
		}},
		{"both_shipped_in_two", two, func(b *fixture) {
			fresh := b.exchange("C-1", 0, 1)
			b.ship(fresh[0], parcelA)
			b.ship(fresh[1], parcelB)
			refuses(b, notReshippable("parcel"), b.ShipExchangeLine, b.reshipping("C-1", parcelC))
			settled := b.reship("C-1", parcelB)
			b.requireParcels(fresh, parcelA, parcelB)
			repeats(b, b.ShipExchangeLine, b.reshipping("C-1", parcelA), &ordersv1.ShipExchangeLineResponse{Lines: settled})
			refuses(b, notReshippable("parcel"), b.ShipExchangeLine, b.reshipping("C-1", parcelC))
		}},
		{"two_of_three_shipped", []NewLine{in("delivered", 1), in("delivered", 1), in("delivered", 1)}, func(b *fixture) {
			fresh := b.exchange("C-1", 0, 1, 2)
			b.ship(fresh[0], parcelA)
			b.ship(fresh[1], parcelB)
			refuses(b, notReshippable("parcel"), b.ShipExchangeLine, b.reshipping("C-1", parcelA))
			b.ship(fresh[2], parcelC)
			b.reship("C-1", parcelA)
			b.requireParcels(fresh, parcelA, parcelB, parcelC)
		}},
		{"arrived", two[:1], func(b *fixture) {
			fresh := b.exchange("C-1", 0)
			b.ship(fresh[0], parcelA)
			b.correct(fresh[0], "delivered")
			b.reship("C-1", parcelA)
			require.Equal(b.t, "delivered", b.line(fresh[0]).State)
		}},
	}
}

// requireParcels checks the parcels of exchange lines.
func (b *fixture) requireParcels(lines []string, want ...Parcel) {
	b.t.Helper()
	for i, id := range lines {
		require.Equal(b.t, want[i], b.line(id).Parcel)
	}
}
