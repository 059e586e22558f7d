package claimlinestest

import (
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// numbers are scenarios about claim numbers: what a number identifies, and calls with unknown numbers.
func numbers() []scenario {
	return []scenario{
		{"about_other_lines", []NewLine{in("delivered", 2), in("delivered", 1)}, isForTheSameLines},
		{"after_release", []NewLine{in("delivered", 2)}, func(b *fixture) {
			b.open("C-1", giveBack, b.pieces(0, 2))
			b.release("C-1")
			refuses(b, notApprovable("hold"), b.Open, b.opening("C-1", giveBack, b.pieces(0, 2)))
		}},
		{"after_settlement", []NewLine{in("delivered", 2)}, func(b *fixture) {
			b.open("C-1", giveBack, b.pieces(0, 1))
			b.settle("C-1")
			refuses(b, notApprovable("hold"), b.Open, b.opening("C-1", giveBack, b.pieces(0, 1)))
		}},
		{"after_conversion", []NewLine{in("delivered", 2), in("delivered", 1)}, func(b *fixture) {
			b.open("C-1", exchange, b.pieces(0, 2))
			b.convert("C-1", "R-1")
			refuses(b, notApprovable("hold"), b.Open, b.opening("C-1", exchange, b.pieces(0, 2)))
			refuses(b, hasActiveClaim, b.Open, b.opening("R-1", giveBack, b.pieces(0, 2)))
			refuses(b, notApprovable("lines"), b.Open, b.opening("R-1", giveBack, b.pieces(1, 1)))
		}},
		{"after_refusal", []NewLine{in("delivered", 2)}, func(b *fixture) {
			refuses(b, notApprovable("quantity"), b.Open, b.opening("C-1", giveBack, b.pieces(0, 3)))
			b.open("C-1", giveBack, b.pieces(0, 2))
		}},
		{"never_held_a_line", []NewLine{in("delivered", 1)}, func(b *fixture) { isOfNoClaim(b, "C-0") }},
	}
}

func isForTheSameLines(b *fixture) {
	b.open("C-1", giveBack, b.pieces(0, 1), b.pieces(1, 1))
	for _, request := range []*ordersv1.OpenRequest{
		b.opening("C-1", giveBack, b.pieces(0, 1)),
		b.opening("C-1", giveBack, b.pieces(1, 1)),
		b.opening("C-1", giveBack, b.pieces(1, 1), b.pieces(0, 1)),
		b.opening("C-1", giveBack, b.pieces(0, 2), b.pieces(1, 1)),
		b.opening("C-1", exchange, b.pieces(0, 1), b.pieces(1, 1)),
	} {
		refuses(b, notApprovable("lines"), b.Open, request)
	}
	request := b.opening("C-1", giveBack, b.pieces(0, 1), b.pieces(1, 1))
	request.SellerId = Other
	refuses(b, notApprovable("lines"), b.Open, request)
}

// isOfNoClaim makes every call that requires an existing claim.
func isOfNoClaim(b *fixture, claim string) {
	b.t.Helper()
	no := b.number(claim)
	refuses(b, claimNotFound, b.Settle, &ordersv1.SettleRequest{ClaimNo: no})
	refuses(b, claimNotFound, b.AddExchangeLine, b.adding(claim, 0))
	refuses(b, claimNotFound, b.ShipExchangeLine, b.reshipping(claim, parcelA))
	refuses(b, claimNotFound, b.Convert, b.conversion(claim, "R-0"))
	refuses(b, claimNotFound, b.Touch, &ordersv1.TouchRequest{ClaimNo: no, Step: "approve"})
	refuses(b, claimNotFound, b.Check, &ordersv1.CheckRequest{ClaimNo: no})
}

// releases are scenarios of holds that end without effect.
func releases() []scenario {
	return []scenario{
		{"frees_the_lines", []NewLine{in("delivered", 2), in("delivered", 1)}, func(b *fixture) {
			before := b.Lines(b.t, b.no)
			b.open("C-1", giveBack, b.pieces(0, 1), b.pieces(1, 1))
			b.release("C-1")
			require.Equal(b.t, before, b.Lines(b.t, b.no))
			b.open("C-2", exchange, b.pieces(0, 2))
		}},
		{"unknown_claim", []NewLine{in("paid", 1)}, releasesAnUnknownClaim},
		{"ended_claim", []NewLine{in("delivered", 2)}, func(b *fixture) {
			b.open("C-1", giveBack, b.pieces(0, 1))
			b.settle("C-1")
			repeats(b, b.Release, &ordersv1.ReleaseRequest{ClaimNo: b.number("C-1")}, &ordersv1.ReleaseResponse{})
			require.NotEmpty(b.t, call(b, b.Settle, &ordersv1.SettleRequest{ClaimNo: b.number("C-1")}).GetLines())
		}},
		{"converted_claim", []NewLine{in("delivered", 1)}, func(b *fixture) {
			b.open("C-1", exchange, b.pieces(0, 1))
			b.convert("C-1", "R-1")
			repeats(b, b.Release, &ordersv1.ReleaseRequest{ClaimNo: b.number("C-1")}, &ordersv1.ReleaseResponse{})
			require.True(b.t, b.check("R-1", Parcel{}).GetHolds())
			b.release("R-1")
			require.False(b.t, b.line(b.items[0]).HasActiveClaim)
		}},
		{"exchange_lines", []NewLine{in("delivered", 1), in("delivered", 1)}, func(b *fixture) {
			fresh := b.exchange("C-1", 0, 1)
			b.ship(fresh[0], parcelA)
			b.release("C-1")
			require.Equal(b.t, "shipping", b.line(fresh[0]).State, "it is on its way")
			require.Equal(b.t, "canceled", b.line(fresh[1]).State)
			require.Equal(b.t, "delivered", b.line(b.items[0]).State)
		}},
	}
}

// call makes a call that succeeds.
func call[I, O any](b *fixture, made procedure[I, O], message *I) *O {
	b.t.Helper()
	answer, err := made(b.t.Context(), message)
	require.NoError(b.t, err)
	return answer
}

// The call that opens a claim may still be in flight while the claim is released.
func releasesAnUnknownClaim(b *fixture) {
	for range 2 {
		repeats(b, b.Release, &ordersv1.ReleaseRequest{ClaimNo: b.number("C-1")}, &ordersv1.ReleaseResponse{})
	}
	refuses(b, notApprovable("hold"), b.Open, b.opening("C-1", cancel, b.pieces(0, 1)))
	isOfNoClaim(b, "C-1")
	b.open("C-2", cancel, b.pieces(0, 1))
}
