package lines_test

import (
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

func (b *fixture) canceling(claim, ref string) *ordersv1.CancelReshipmentRequest {
	return &ordersv1.CancelReshipmentRequest{ClaimNo: b.number(claim), Ref: ref}
}

// cancellations are reshipments that are canceled before they ship.
func cancellations() []scenario {
	one := []NewLine{in("delivered", 1)}
	return []scenario{
		{"never_ships", one, func(b *fixture) {
			fresh := b.exchange("C-1", 0)[0]
			quietly(b, b.CancelReshipment, b.canceling("C-1", "reship@1"))
			refuses(b, notReshippable("canceled"), b.ShipExchangeLine, b.registered("reship@1", parcelA))
			require.Equal(b.t, "paid", b.line(fresh).State)
			does(b, b.ShipExchangeLine, b.registered("reship@2", parcelA))
			quietly(b, b.CancelReshipment, b.canceling("C-1", "reship@1"))
			refuses(b, notReshippable("canceled"), b.ShipExchangeLine, b.registered("reship@1", parcelA))
		}},
		{"shipped", one, func(b *fixture) {
			b.exchange("C-1", 0)
			does(b, b.ShipExchangeLine, b.registered("reship@1", parcelA))
			refuses(b, notReshippable("shipped"), b.CancelReshipment, b.canceling("C-1", "reship@1"))
			refuses(b, notReshippable("shipped"), b.CancelReshipment, b.canceling("C-1", "reship@2"))
		}},
		{"shipped_corrected", one, keepsWhatHasShipped},
		{"hold_is_gone", one, func(b *fixture) {
			b.exchange("C-1", 0)
			b.convert("C-1", "R-1")
			refuses(b, notReshippable("hold"), b.CancelReshipment, b.canceling("C-1", "reship@1"))
			refuses(b, notReshippable("hold"), b.CancelReshipment, b.canceling("R-1", "reship@1"))
		}},
		{"unknown", one, func(b *fixture) { refuses(b, claimNotFound, b.CancelReshipment, b.canceling("C-1", "reship@1")) }},
		{"malformed", one, func(b *fixture) {
			b.exchange("C-1", 0)
			for _, ref := range badNumbers {
				refuses(b, validationError("ref"), b.CancelReshipment, b.canceling("C-1", ref))
				if ref != "" {
					refuses(b, validationError("ref"), b.ShipExchangeLine, b.registered(ref, parcelA))
				}
			}
		}},
	}
}

// An operator finds out later in which parcel the goods actually travel. Lines that have shipped stay shipped.
func keepsWhatHasShipped(b *fixture) {
	fresh := b.exchange("C-1", 0)[0]
	shipped := does(b, b.ShipExchangeLine, b.registered("reship@1", parcelA))
	for _, state := range []string{"shipping", "delivered", "delivered"} {
		parcel := parcelB
		if state == b.line(fresh).State && state == "delivered" {
			parcel = parcelC
		}
		require.NoError(b.t, b.Correct(b.t, b.no, fresh, state, parcel))
		require.Equal(b.t, []any{state, parcel}, []any{b.line(fresh).State, b.line(fresh).Parcel})
		repeats(b, b.ShipExchangeLine, b.registered("reship@1", parcelA), shipped)
	}
	refuses(b, notReshippable("parcel"), b.ShipExchangeLine, b.registered("reship@2", parcelA))
}
