package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/orders/internal/order"
)

func TestPayment_repeatedEnd(t *testing.T) {
	t.Parallel()
	all := []order.Payment{order.PaymentPending, order.PaymentPaid, order.PaymentFailed, order.PaymentExpired}
	for _, stands := range all {
		for _, outcome := range all[1:] {
			changes, err := stands.End(outcome)
			switch stands {
			case order.PaymentPending:
				require.NoError(t, err)
				require.True(t, changes)
			case outcome:
				require.NoError(t, err)
				require.False(t, changes)
			default:
				require.ErrorIs(t, err, order.ErrPaymentEnded, "%s then %s", stands, outcome)
			}
		}
	}
}

// Every state of a payment has its state of an item, which an item reaches from pending.
func TestPayment_itemState(t *testing.T) {
	t.Parallel()
	for payment, state := range map[order.Payment]order.State{
		order.PaymentPending: order.Pending, order.PaymentPaid: order.Paid,
		order.PaymentFailed: order.Failed, order.PaymentExpired: order.Expired,
	} {
		require.Equal(t, state, payment.ItemState())
		if payment != order.PaymentPending {
			require.True(t, order.Follows(order.Pending, state))
		}
	}
}
