package lines_test

import (
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// settlements are completions of cancels and returns.
func settlements() []scenario {
	return []scenario{
		{"several_lines", []NewLine{in("paid", 2), in("preparing", 2)}, settlesSeveral},
		{"state", []NewLine{in("paid", 2)}, refusesToSettleElsewhere},
		{"exchange", []NewLine{in("delivered", 2)}, func(b *fixture) {
			b.exchange("C-1", 0)
			refuses(b, notApprovable("type"), b.Settle, &ordersv1.SettleRequest{ClaimNo: b.number("C-1")})
		}},
	}
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

// An operator moves the line of an open claim to another state, and later back.
func refusesToSettleElsewhere(b *fixture) {
	b.open("C-1", cancel, b.pieces(0, 1))
	b.correct(b.items[0], "shipping")
	require.True(b.t, b.line(b.items[0]).HasActiveClaim, "a claim keeps what an operator corrects")
	refuses(b, notApprovable("state"), b.Settle, &ordersv1.SettleRequest{ClaimNo: b.number("C-1")})
	b.correct(b.items[0], "preparing")
	b.settle("C-1")
}
