package intake_test

import (
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

const (
	paid    = ordersv1.PaymentOutcome_PAYMENT_OUTCOME_PAID
	failed  = ordersv1.PaymentOutcome_PAYMENT_OUTCOME_FAILED
	expired = ordersv1.PaymentOutcome_PAYMENT_OUTCOME_EXPIRED
)

// A payment is recorded once and makes the order visible; a repetition changes nothing.
func TestEndPayment_recordedOnce(t *testing.T) {
	t.Parallel()
	p := setup(t)
	sent := p.newOrder("A-1")
	sent.PaidAt = nil
	_, err := p.place(sent)
	require.NoError(t, err)
	require.Empty(t, p.visible())

	changed, err := p.pay("A-1", paid, timestamppb.New(time.Now().Add(-time.Minute)))
	require.NoError(t, err)
	require.True(t, changed)
	require.Equal(t, []string{"A-1"}, p.visible())

	changed, err = p.pay("A-1", paid, timestamppb.New(time.Now().Add(-time.Second)))
	require.NoError(t, err)
	require.False(t, changed)

	results, err := p.place(sent)
	require.NoError(t, err)
	require.Equal(t, isAlreadyPlaced, results[0].GetOutcome(), "the placement is compared, not the payment since")
}

// Every outcome of a payment is followed by every other.
func TestEndPayment_endedOtherwise(t *testing.T) {
	t.Parallel()
	p := setup(t)
	past := timestamppb.New(time.Now().Add(-time.Minute))
	ends := map[string]ordersv1.PaymentOutcome{"PAID": paid, "FAILED": failed, "EXPIRED": expired}
	for no, end := range ends {
		sent := p.newOrder(no)
		sent.PaidAt = nil
		_, err := p.place(sent)
		require.NoError(t, err)
		changed, err := p.pay(no, end, past)
		require.NoError(t, err)
		require.True(t, changed)
		for _, outcome := range ends {
			changed, err := p.pay(no, outcome, past)
			require.False(t, changed)
			if outcome == end {
				require.NoError(t, err)
				continue
			}
			var wire *connect.Error
			require.ErrorAs(t, err, &wire)
			require.Equal(t, connect.CodeFailedPrecondition, wire.Code())
		}
	}
	require.Equal(t, []string{"PAID"}, p.visible())
}

// A payment of an unknown order is not found, however malformed the number is.
func TestEndPayment_unknownOrder(t *testing.T) {
	t.Parallel()
	p := setup(t)
	for _, no := range []string{"NONE", "", "\x00"} {
		_, err := p.pay(no, failed, nil)
		require.ErrorIs(t, err, apierr.OrderNotFound, "%q", no)
		var wire *connect.Error
		require.ErrorAs(t, err, &wire)
		require.Equal(t, connect.CodeNotFound, wire.Code())
	}
}

// The error for a malformed payment names the invalid field.
func TestEndPayment_malformed(t *testing.T) {
	t.Parallel()
	p := setup(t)
	sent := p.newOrder("A-1")
	sent.PaidAt = nil
	_, err := p.place(sent)
	require.NoError(t, err)
	for _, c := range []struct {
		outcome ordersv1.PaymentOutcome
		paidAt  *timestamppb.Timestamp
		field   string
	}{
		{ordersv1.PaymentOutcome_PAYMENT_OUTCOME_UNSPECIFIED, timestamppb.Now(), "outcome"},
		{99, timestamppb.Now(), "outcome"},
		{paid, nil, "paid_at"},
		{paid, &timestamppb.Timestamp{Nanos: -1}, "paid_at"},
		{paid, timestamppb.New(time.Now().Add(time.Hour)), "paid_at"},
		{paid, timestamppb.New(time.Unix(-1, 0)), "paid_at"},
	} {
		_, err := p.pay("A-1", c.outcome, c.paidAt)
		requireInvalid(t, err, c.field)
	}
	require.Empty(t, p.visible())
}
