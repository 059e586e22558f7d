package claimlinestest

import (
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

func (b *fixture) sealing() *ordersv1.SealRequest {
	return &ordersv1.SealRequest{ClaimNo: b.number("C-1")}
}

// seals are scenarios in which cancels and returns are sealed, so that they can always be settled.
func seals() []scenario {
	one := []NewLine{in("delivered", 2)}
	return []scenario{
		{"return", one, func(b *fixture) { sealsAndSettles(b, giveBack, "returned") }},
		{"cancel", []NewLine{in("preparing", 2)}, func(b *fixture) { sealsAndSettles(b, cancel, "canceled") }},
		{"state", one, func(b *fixture) {
			b.open("C-1", giveBack, b.pieces(0, 1))
			b.correct(b.items[0], "shipping")
			refuses(b, notApprovable("state"), b.Seal, b.sealing())
			b.correct(b.items[0], "delivered")
			quietly(b, b.Seal, b.sealing())
		}},
		{"exchange", one, func(b *fixture) {
			b.open("C-1", exchange, b.pieces(0, 1))
			refuses(b, notApprovable("type"), b.Seal, b.sealing())
			b.add("C-1", 0)
			refuses(b, notApprovable("type"), b.Seal, b.sealing())
		}},
		{"hold_is_gone", one, func(b *fixture) {
			b.open("C-1", giveBack, b.pieces(0, 1))
			quietly(b, b.Seal, b.sealing())
			b.release("C-1")
			require.False(b.t, b.line(b.items[0]).HasActiveClaim, "a seal does not keep a claim from its end")
			b.correct(b.items[0], "shipping")
			refuses(b, notApprovable("hold"), b.Seal, b.sealing())
		}},
		{"converted", one, sealsWhatPaysAtOnce},
	}
}

// Once money can move, nothing can take the lines from the claim; after its end they are like any others.
func sealsAndSettles(b *fixture, kind ordersv1.ClaimType, end string) {
	b.open("C-1", kind, b.pieces(0, 1))
	quietly(b, b.Seal, b.sealing())
	b.remains(b.items[0])
	settled := b.settle("C-1")
	require.Equal(b.t, end, b.line(settled[0].GetSettledItemId()).State)
	quietly(b, b.Seal, b.sealing())
	b.correct(b.items[0], "shipping")
}

// The lines that an exchange has sealed are sealed for its return only if the return pays at once.
func sealsWhatPaysAtOnce(b *fixture) {
	b.exchange("C-1", 0)
	paying := b.conversion("C-1", "R-1")
	paying.Seal = true
	does(b, b.Convert, paying)
	b.remains(b.items[0])
	b.settle("R-1")

	b.no, b.items = b.place(in("delivered", 1))
	b.exchange("C-1", 0)
	b.convert("C-1", "R-1")
	b.correct(b.items[0], "shipping")
}
