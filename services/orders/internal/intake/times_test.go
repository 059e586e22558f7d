package intake_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// implausible are times that cannot be those of a reported event. The first is the zero time of Go.
var implausible = []time.Time{
	{}, time.Time{}.Add(time.Nanosecond), time.Unix(0, 0), time.Date(1999, 12, 31, 23, 59, 59, 999_999_000, time.UTC),
}

// A zero time is refused with the field's name, in every time field, and does not place an invisible order.
func TestImplausibleTimes(t *testing.T) {
	t.Parallel()
	p := setup(t)
	pending := p.newOrder("PENDING")
	pending.PaidAt = nil
	_, err := p.place(pending)
	require.NoError(t, err)
	for field, send := range map[string]func(*timestamppb.Timestamp) error{
		"orders[0].paid_at": func(at *timestamppb.Timestamp) error {
			sent := p.newOrder("A-1")
			sent.PaidAt = at
			_, err := p.place(sent)
			return err
		},
		"orders[0].sellers[0].lines[0].history[0].changed_at": func(at *timestamppb.Timestamp) error {
			sent := p.newOrder("A-1")
			sent.Sellers[0].Lines[0].History = []*ordersv1.PastChange{{ItemStatus: "preparing", ChangedAt: at}}
			_, err := p.place(sent)
			return err
		},
		"paid_at": func(at *timestamppb.Timestamp) error {
			_, err := p.pay("PENDING", ordersv1.PaymentOutcome_PAYMENT_OUTCOME_PAID, at)
			return err
		},
	} {
		for _, at := range implausible {
			requireInvalid(t, send(timestamppb.New(at)), field)
		}
	}
	require.Empty(t, p.visible())
	results, err := p.place(p.newOrder("A-1"))
	require.NoError(t, err)
	require.Equal(t, ordersv1.PlaceOutcome_PLACE_OUTCOME_PLACED, results[0].GetOutcome(), "the number is still free")
	changed, err := p.pay("PENDING", ordersv1.PaymentOutcome_PAYMENT_OUTCOME_PAID, timestamppb.Now())
	require.NoError(t, err)
	require.True(t, changed)
}
