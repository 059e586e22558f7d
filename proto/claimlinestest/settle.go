package claimlinestest

import (
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// settlements are completions of cancels and returns.
func settlements() []scenario {
	return []scenario{
		{"whole_cancel", []NewLine{in("paid", 2)}, func(b *fixture) { settlesWhole(b, cancel, "canceled") }},
		{"whole_cancel_of_prepared", []NewLine{in("preparing", 2)}, func(b *fixture) { settlesWhole(b, cancel, "canceled") }},
		{"whole_return", []NewLine{in("delivered", 2)}, func(b *fixture) { settlesWhole(b, giveBack, "returned") }},
		{"partial_cancel", []NewLine{in("paid", 3)}, func(b *fixture) { settlesPart(b, cancel, "canceled") }},
		{"partial_return", []NewLine{in("delivered", 3)}, func(b *fixture) { settlesPart(b, giveBack, "returned") }},
		{"several_lines", []NewLine{in("paid", 2), in("preparing", 2)}, settlesSeveral},
		{"every_won", []NewLine{
			{Seller: Seller, State: "paid", Quantity: 7, Paid: 7*UnitPrice - 1},
			{Seller: Seller, State: "paid", Quantity: 3, Paid: 2},
			{Seller: Seller, State: "paid", Quantity: 3, Paid: 0},
		}, settlesPieceByPiece},
		{"state", []NewLine{in("paid", 2)}, refusesToSettleElsewhere},
		{"state_of_a_return", []NewLine{in("delivered", 2)}, func(b *fixture) {
			b.open("C-1", giveBack, b.pieces(0, 1))
			b.correct(b.items[0], "shipping")
			refuses(b, notApprovable("state"), b.Settle, &ordersv1.SettleRequest{ClaimNo: b.number("C-1")})
		}},
		{"hold_is_gone", []NewLine{in("delivered", 2)}, func(b *fixture) {
			b.open("C-1", giveBack, b.pieces(0, 1))
			b.release("C-1")
			refuses(b, notApprovable("hold"), b.Settle, &ordersv1.SettleRequest{ClaimNo: b.number("C-1")})
		}},
		{"exchange", []NewLine{in("delivered", 2)}, func(b *fixture) {
			b.exchange("C-1", 0)
			refuses(b, notApprovable("type"), b.Settle, &ordersv1.SettleRequest{ClaimNo: b.number("C-1")})
		}},
	}
}

// settlesWhole settles a claim on a whole line, which keeps its identity.
func settlesWhole(b *fixture, kind ordersv1.ClaimType, end string) {
	want := b.Lines(b.t, b.no)
	b.open("C-1", kind, b.pieces(0, 2))
	settled := b.settle("C-1")
	require.Len(b.t, settled, 1)
	require.Equal(b.t, text(&ordersv1.SettledLine{ItemId: b.items[0], SettledItemId: b.items[0]}), text(settled[0]))
	want[0].State = end
	require.Equal(b.t, want, b.Lines(b.t, b.no))
}

// settlesPart splits two of three pieces off.
func settlesPart(b *fixture, kind ordersv1.ClaimType, end string) {
	want := b.Lines(b.t, b.no)
	b.open("C-1", kind, b.pieces(0, 2))
	settled := b.settle("C-1")
	require.Len(b.t, settled, 1)
	require.Equal(b.t, b.items[0], settled[0].GetItemId())
	part := want[0]
	part.ID, part.SplitFrom, part.Code, part.State = settled[0].GetSettledItemId(), b.items[0], b.no+"-03", end
	part.Quantity, part.Paid = 2, 9999 // two thirds of 14,999, rounded down
	want[0].Quantity, want[0].Paid = 1, 5000
	require.Equal(b.t, append(want, part), b.Lines(b.t, b.no), "the rest keeps id and code")
}

func settlesSeveral(b *fixture) {
	b.open("C-1", cancel, b.pieces(1, 1), b.pieces(0, 2))
	settled := b.settle("C-1")
	require.Len(b.t, settled, 2)
	part := b.line(settled[0].GetSettledItemId())
	require.Equal(b.t, []any{"canceled", int64(1), b.items[1]}, []any{part.State, part.Quantity, part.SplitFrom})
	require.Equal(b.t, text(&ordersv1.SettledLine{ItemId: b.items[0], SettledItemId: b.items[0]}), text(settled[1]))
	require.Equal(b.t, "canceled", b.line(b.items[0]).State)
	rest := b.line(b.items[1])
	require.Equal(b.t, []any{"preparing", int64(1), false}, []any{rest.State, rest.Quantity, rest.HasActiveClaim})
}

// settlesPieceByPiece settles lines whose amounts are not divisible by their pieces: the amounts of the pieces add up to that of
// the line.
func settlesPieceByPiece(b *fixture) {
	for n, before := range b.Lines(b.t, b.no)[:len(b.items)-1] {
		var paid int64
		for range before.Quantity {
			claim := "C-" + before.Code + "-" + string(rune('a'+before.Quantity-b.line(before.ID).Quantity))
			b.open(claim, cancel, b.pieces(n, 1))
			part := b.line(b.settle(claim)[0].GetSettledItemId())
			require.Equal(b.t, int64(1), part.Quantity)
			require.GreaterOrEqual(b.t, part.Paid, before.Paid/before.Quantity)
			require.LessOrEqual(b.t, part.Paid, before.Paid/before.Quantity+1)
			paid += part.Paid
		}
		require.Equal(b.t, before.Paid, paid)
		require.Equal(b.t, "canceled", b.line(before.ID).State, "the last piece is the line itself")
	}
}

// An operator moves the line of an open claim to another state, and later back.
func refusesToSettleElsewhere(b *fixture) {
	b.open("C-1", cancel, b.pieces(0, 1))
	b.correct(b.items[0], "shipping")
	require.True(b.t, b.line(b.items[0]).HasActiveClaim, "a claim keeps what an operator corrects")
	refuses(b, notApprovable("state"), b.Settle, &ordersv1.SettleRequest{ClaimNo: b.number("C-1")})
	b.correct(b.items[0], "preparing")
	b.settle("C-1")
}
