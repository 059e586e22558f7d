package intake_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/orders/internal/order"
)

// A time that comes with a line is stored as a part of what was placed, is moved and taken away, and moves updated_at only when
// it changes.
func TestSetShipBy_movesTime(t *testing.T) {
	t.Parallel()
	p := setup(t)
	sent := p.newOrder("O-1")
	first := time.Now().Add(48 * time.Hour).UTC().Truncate(time.Microsecond)
	sent.GetSellers()[0].GetLines()[0].ShipBy = timestamppb.New(first.Add(time.Nanosecond))
	_, err := p.place(sent)
	require.NoError(t, err)
	require.Equal(t, first, p.seen("O-1").ShipBy)
	id := sent.GetSellers()[0].GetLines()[0].GetItemId()
	updated := func() time.Time {
		found, err := p.store.Find(t.Context(), p.seller, "O-1")
		require.NoError(t, err)
		return found.UpdatedAt
	}
	for _, at := range []time.Time{first, first.Add(-time.Hour), {}} {
		request := &ordersv1.SetShipByRequest{OrderNo: "O-1", ItemIds: []string{strings.ToUpper(id)}}
		if !at.IsZero() {
			request.ShipBy = timestamppb.New(at)
		}
		for _, again := range []bool{false, true} {
			before := updated()
			answer, err := p.client.SetShipBy(t.Context(), request)
			require.NoError(t, err)
			require.Equal(t, !again && at != first, answer.GetChanged())
			require.Equal(t, answer.GetChanged(), updated().After(before))
			require.Equal(t, at, p.seen("O-1").ShipBy)
		}
	}
	results, err := p.place(sent)
	require.NoError(t, err)
	require.Equal(t, ordersv1.PlaceOutcome_PLACE_OUTCOME_ALREADY_PLACED, results[0].GetOutcome(), "by what was sent")
	sent.GetSellers()[0].GetLines()[0].ShipBy = nil
	results, err = p.place(sent)
	require.NoError(t, err)
	require.Equal(t, ordersv1.PlaceOutcome_PLACE_OUTCOME_CONFLICT, results[0].GetOutcome())
}

// The time of an order that was placed unpaid is there when it is paid. Until then it cannot be set.
func TestSetShipBy_unpaidOrder(t *testing.T) {
	t.Parallel()
	p := setup(t)
	sent := p.newOrder("U-1")
	at := time.Now().UTC().Truncate(time.Microsecond)
	sent.PaidAt, sent.GetSellers()[0].GetLines()[0].ShipBy = nil, timestamppb.New(at)
	_, err := p.place(sent)
	require.NoError(t, err)
	ids := []string{sent.GetSellers()[0].GetLines()[0].GetItemId()}
	_, err = p.client.SetShipBy(t.Context(), &ordersv1.SetShipByRequest{OrderNo: "U-1", ItemIds: ids})
	require.ErrorIs(t, err, apierr.OrderNotFound)
	_, err = p.pay("U-1", ordersv1.PaymentOutcome_PAYMENT_OUTCOME_PAID, timestamppb.Now())
	require.NoError(t, err)
	require.Equal(t, at, p.seen("U-1").ShipBy)
	page, err := p.store.List(t.Context(), p.seller, order.Filter{ShipBy: &at}, nil, 10)
	require.NoError(t, err)
	require.Len(t, page.Rows, 1)
}

// Each refusal names what is wrong and changes nothing.
func TestSetShipBy_refusals(t *testing.T) {
	t.Parallel()
	p := setup(t)
	sent := p.newOrder("O-1")
	_, err := p.place(sent)
	require.NoError(t, err)
	id := sent.GetSellers()[0].GetLines()[0].GetItemId()
	set := func(orderNo string, at *timestamppb.Timestamp, ids ...string) error {
		_, err := p.client.SetShipBy(t.Context(), &ordersv1.SetShipByRequest{OrderNo: orderNo, ItemIds: ids, ShipBy: at})
		return err
	}
	now := timestamppb.Now()
	requireInvalid(t, set("O-1", now), "item_ids")
	requireInvalid(t, set("O-1", now, make([]string, 201)...), "item_ids")
	requireInvalid(t, set("O-1", now, id, strings.ToUpper(id)), "item_ids[1]")
	requireInvalid(t, set("O-1", &timestamppb.Timestamp{Nanos: -1}, id), "ship_by")
	for _, at := range implausible {
		requireInvalid(t, set("O-1", timestamppb.New(at), id), "ship_by")
		wrong := p.newOrder("O-2")
		wrong.GetSellers()[0].GetLines()[0].ShipBy = timestamppb.New(at)
		_, err := p.place(wrong)
		requireInvalid(t, err, "orders[0].sellers[0].lines[0].ship_by")
	}
	require.ErrorIs(t, set("NONE", now, id), apierr.OrderNotFound)
	require.ErrorIs(t, set("\x00", now, id), apierr.OrderNotFound)
	require.ErrorIs(t, set("O-1", now, id, uuid.NewString()), apierr.OrderItemNotFound)
	require.Zero(t, p.seen("O-1").ShipBy)
}
