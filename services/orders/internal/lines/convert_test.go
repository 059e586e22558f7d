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
	b.holds("R-1")
	b.convert("C-1", "R-1")
	require.Equal(b.t, "canceled", b.line(fresh).State)
	repeats(b, b.Convert, closing, &ordersv1.ConvertResponse{})
	b.settle("R-1")
}

// touches are changes of claims that change no line.
func touches() []scenario {
	two := []NewLine{in("delivered", 3), in("delivered", 1)}
	return []scenario{
		{"after_the_end", []NewLine{in("paid", 1)}, func(b *fixture) {
			b.open("C-1", cancel, b.pieces(0, 1))
			b.release("C-1")
			does(b, b.Touch, &ordersv1.TouchRequest{ClaimNo: b.number("C-1"), Step: "reject"})
			refuses(b, notApprovable("hold"), b.Touch, b.touching("C-1", "approve"))
		}},
		{"while_held", two[:1], touchesWhileHeld},
		{"of_a_return", two[:1], func(b *fixture) {
			b.open("C-1", exchange, b.pieces(0, 1))
			b.convert("C-1", "R-1")
			refuses(b, notApprovable("hold"), b.Touch, b.touching("C-1", "approve"))
			b.holds("R-1")
			b.release("R-1")
			refuses(b, notApprovable("hold"), b.Touch, b.touching("R-1", "pickup"))
		}},
	}
}

// touching returns a request for a change that requires that the claim can complete.
func (b *fixture) touching(claim, step string) *ordersv1.TouchRequest {
	return &ordersv1.TouchRequest{ClaimNo: b.number(claim), Step: step, WhileHeld: true}
}

// holds checks that a claim can complete.
func (b *fixture) holds(claim string) {
	b.t.Helper()
	does(b, b.Touch, b.touching(claim, "approve"))
}

// touchesWhileHeld checks that a refused step can succeed later, and that one that succeeded succeeds again whatever happened
// since.
func touchesWhileHeld(b *fixture) {
	b.open("C-1", exchange, b.pieces(0, 1))
	b.holds("C-1")
	b.correct(b.items[0], "shipping")
	repeats(b, b.Touch, b.touching("C-1", "approve"), &ordersv1.TouchResponse{})
	refuses(b, notApprovable("state"), b.Touch, b.touching("C-1", "pickup"))
	b.correct(b.items[0], "delivered")
	does(b, b.Touch, b.touching("C-1", "pickup"))
}
