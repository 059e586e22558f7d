package e2e

import (
	"net/http"
	"testing"

	"connectrpc.com/connect"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// opening returns the request of a claim to hold both pieces of a line.
func (d *session) opening(kind ordersv1.ClaimType, orderNo, id string) *ordersv1.OpenRequest {
	return &ordersv1.OpenRequest{
		ClaimNo: "C" + uuid.NewString(), Type: kind, SellerId: d.seller.ID, OrderNo: orderNo,
		Lines: []*ordersv1.ClaimedLine{{ItemId: id, Quantity: 2}},
	}
}

// A cancel holds the line, so that the seller cannot process it, until it is released.
func TestClaimedLine_heldUntilReleased(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t)
	claim := d.opening(ordersv1.ClaimType_CLAIM_TYPE_CANCEL, orderNo, ids[0])
	_, err := d.Lines.Open(t.Context(), claim)
	require.NoError(t, err)
	require.True(t, d.order(t, orderNo).Items[0].HasActiveClaim)
	d.refused(t, "preparation", orderNo, of(ids...), http.StatusConflict, "ORDER_ITEM_HAS_ACTIVE_CLAIM")
	d.refused(t, "shipment", orderNo, shipped(ids...), http.StatusConflict, "ORDER_ITEM_HAS_ACTIVE_CLAIM")
	_, err = d.correct(t, orderNo, ids[0], "shipping", newParcel(), act())
	require.NoError(t, err)
	require.True(t, d.order(t, orderNo).Items[0].HasActiveClaim, "a correction keeps the claim's hold")
	d.refused(t, "delivery", orderNo, of(ids...), http.StatusConflict, "ORDER_ITEM_HAS_ACTIVE_CLAIM")
	before := d.order(t, orderNo)
	_, err = d.Lines.Release(t.Context(), &ordersv1.ReleaseRequest{ClaimNo: claim.GetClaimNo()})
	require.NoError(t, err)
	after := d.order(t, orderNo)
	require.False(t, after.Items[0].HasActiveClaim)
	require.Greater(t, after.UpdatedAt, before.UpdatedAt)
	require.Equal(t, "delivered", d.done(t, "delivery", orderNo, of(ids...)).Items[0].ItemStatus)
}

// The replacement line of an exchange can be prepared and shipped like any other as soon as it exists.
func TestExchangeLine_opensWhenReshipping(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t, stacktest.InState("delivered"))
	claim := d.opening(ordersv1.ClaimType_CLAIM_TYPE_EXCHANGE, orderNo, ids[0])
	_, err := d.Lines.Open(t.Context(), claim)
	require.NoError(t, err)
	add := func() string {
		answer, err := d.Lines.AddExchangeLine(t.Context(), &ordersv1.AddExchangeLineRequest{
			ClaimNo: claim.GetClaimNo(),
			Lines:   []*ordersv1.ExchangeLine{{ItemId: ids[0], ExchangeOptionName: "화이트 / L", LinePaidAmount: 24800}},
		})
		require.NoError(t, err)
		return answer.GetExchangeItemIds()[0]
	}
	id := add()
	require.Equal(t, id, add(), "the same line")
	require.Equal(t, "preparing", d.done(t, "preparation", orderNo, of(id)).Items[0].ItemStatus)
	require.Equal(t, "shipping", d.done(t, "shipment", orderNo, shipped(id)).Items[0].ItemStatus)
	items := d.order(t, orderNo).Items
	require.Equal(t, []any{"화이트 / L", true, orderNo + "-02"}, []any{items[1].OptionName, items[1].IsExchange, items[1].ItemCode})
	require.Equal(t, "delivered", items[0].ItemStatus, "an order-side shipment does not finish the exchange")
	require.True(t, items[0].HasActiveClaim)
	_, err = d.Lines.ShipExchangeLine(t.Context(), &ordersv1.ShipExchangeLineRequest{
		ClaimNo: claim.GetClaimNo(), CarrierName: "한진택배", TrackingNo: "412345678901",
	})
	require.Equal(t, connect.CodeFailedPrecondition, connect.CodeOf(err), "shipped otherwise: %v", err)
	_, err = d.Lines.ShipExchangeLine(t.Context(), &ordersv1.ShipExchangeLineRequest{
		ClaimNo: claim.GetClaimNo(), CarrierName: carrierName, TrackingNo: trackingNo,
	})
	require.NoError(t, err)
	require.Equal(t, []string{"exchanged", "shipping"}, states(d.order(t, orderNo)))
	require.True(t, d.done(t, "shipment", orderNo, shipped(id)).Items[0].AlreadyDone, "repeated after the exchange ended")
}
