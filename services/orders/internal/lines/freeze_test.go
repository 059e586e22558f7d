package lines_test

import (
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// freezing returns a request that sets whether C-1 is frozen, as of that many minutes after the delivery of its
// goods.
func (b *fixture) freezing(frozen bool, minutes int) *ordersv1.FreezeRequest {
	at := DeliveredAt.Add(time.Duration(minutes) * time.Minute)
	return &ordersv1.FreezeRequest{ClaimNo: b.number("C-1"), Frozen: frozen, At: timestamppb.New(at)}
}

// freezes are claims that are frozen and unfrozen.
func freezes() []scenario {
	one := []NewLine{in("delivered", 1)}
	return []scenario{
		{"exchange_line", one, func(b *fixture) {
			fresh := b.exchange("C-1", 0)[0]
			does(b, b.Freeze, b.freezing(true, 1))
			require.Error(b.t, b.Ship(b.t, b.no, fresh, parcelA))
			does(b, b.Freeze, b.freezing(false, 2))
			b.ship(fresh, parcelA)
		}},
		{"ended", one, func(b *fixture) {
			b.open("C-1", giveBack, b.pieces(0, 1))
			b.release("C-1")
			quietly(b, b.Freeze, b.freezing(true, 1))
		}},
		{"unknown", one, func(b *fixture) { refuses(b, claimNotFound, b.Freeze, b.freezing(true, 1)) }},
		{"malformed", one, func(b *fixture) {
			b.exchange("C-1", 0)
			refuses(b, validationError("at"), b.Freeze, &ordersv1.FreezeRequest{ClaimNo: b.number("C-1"), Frozen: true})
		}},
	}
}
