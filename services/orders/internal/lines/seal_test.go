package lines_test

import (
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

func (b *fixture) sealing() *ordersv1.SealRequest {
	return &ordersv1.SealRequest{ClaimNo: b.number("C-1")}
}

// seals are scenarios in which cancels and returns are sealed, so that they can always be settled.
func seals() []scenario {
	one := []NewLine{in("delivered", 2)}
	return []scenario{
		{"state", one, func(b *fixture) {
			b.open("C-1", giveBack, b.pieces(0, 1))
			b.correct(b.items[0], "shipping")
			refuses(b, notApprovable("state"), b.Seal, b.sealing())
			b.correct(b.items[0], "delivered")
			does(b, b.Seal, b.sealing())
		}},
		{"exchange", one, func(b *fixture) {
			b.open("C-1", exchange, b.pieces(0, 1))
			refuses(b, notApprovable("type"), b.Seal, b.sealing())
			b.add("C-1", 0)
			refuses(b, notApprovable("type"), b.Seal, b.sealing())
		}},
		{"converted", one, sealsWhatPaysAtOnce},
	}
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
