package lines_test

import (
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// numbers are scenarios about claim numbers: what a number identifies, and calls with unknown numbers.
func numbers() []scenario {
	return []scenario{
		{"never_held_a_line", []NewLine{in("delivered", 1)}, func(b *fixture) { isOfNoClaim(b, "C-0") }},
	}
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
	refuses(b, claimNotFound, b.Touch, b.touching(claim, "approve"))
}

// releases are scenarios of holds that end without effect.
func releases() []scenario {
	return []scenario{
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
			b.holds("R-1")
			b.release("R-1")
			require.False(b.t, b.line(b.items[0]).HasActiveClaim)
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
