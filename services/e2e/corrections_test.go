package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

func act() *ordersv1.Act {
	return &ordersv1.Act{ActId: uuid.NewString(), Operator: "운영자", Reason: "잘못 등록됨"}
}

func newParcel() *ordersv1.Shipment {
	return &ordersv1.Shipment{CarrierName: "한진택배", TrackingNo: "4123-4567-8901"}
}

func (d *session) correct(t *testing.T, orderNo, id, state string, parcel *ordersv1.Shipment, by *ordersv1.Act) (bool, error) {
	t.Helper()
	answer, err := d.Intake.CorrectItem(t.Context(), &ordersv1.CorrectItemRequest{
		OrderNo: orderNo, ItemId: id, ItemStatus: state, Shipment: parcel, Act: by,
	})
	if err != nil {
		return false, err
	}
	return answer.GetChanged(), nil
}

func (d *session) confirm(t *testing.T, orderNo string, ids ...string) (bool, error) {
	t.Helper()
	answer, err := d.Intake.ConfirmPurchase(t.Context(), &ordersv1.ConfirmPurchaseRequest{OrderNo: orderNo, ItemIds: ids})
	if err != nil {
		return false, err
	}
	return answer.GetChanged(), nil
}

func (d *session) entered(t *testing.T, state string, since time.Time) []string {
	t.Helper()
	return orderNos(d.client.List(t, "10", "status_changed_to", state, "status_changed_at_gte",
		since.UTC().Format(time.RFC3339Nano)).List)
}

func requireFieldsOfState(t *testing.T, item stacktest.Item) {
	t.Helper()
	isShipped := item.ItemStatus == "shipping" || item.ItemStatus == "delivered" || item.ItemStatus == "confirmed"
	require.Equal(t, isShipped, item.CarrierName != nil)
	require.Equal(t, isShipped, item.TrackingNo != nil)
	require.Equal(t, isShipped, item.ShippedAt != nil)
	require.True(t, isShipped || item.LogisticsCompany == nil)
	require.Equal(t, item.ItemStatus == "delivered" || item.ItemStatus == "confirmed", item.DeliveredAt != nil)
	require.Equal(t, item.ItemStatus == "confirmed", item.ConfirmedAt != nil)
}

// A seller can process a line on from the state that an operator has put it in, with another parcel if
// necessary.
func TestCorrection_lineProcessedAnew(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t)
	d.done(t, "shipment", orderNo, shipped(ids...))
	_, err := d.correct(t, orderNo, ids[0], "preparing", nil, act())
	require.NoError(t, err)
	result := d.done(t, "shipment", orderNo, shipped(ids...).with("tracking_no", "612345678904"))
	require.False(t, result.Items[0].AlreadyDone)
	require.Equal(t, "612345678904", *d.order(t, orderNo).Items[0].TrackingNo)
	_, err = d.correct(t, orderNo, ids[0], "shipping", newParcel(), act())
	require.NoError(t, err)
	d.refused(t, "shipment", orderNo, shipped(ids...).with("tracking_no", "612345678904"), http.StatusConflict,
		"SHIPMENT_STATE_CONFLICT")
	same := shipped(ids...).without("logistics_company").with("carrier_name", "한진택배").with("tracking_no", "412345678901")
	require.True(t, d.done(t, "shipment", orderNo, same).Items[0].AlreadyDone)
	require.Equal(t, "delivered", d.done(t, "delivery", orderNo, of(ids...)).Items[0].ItemStatus)
}

// The customer confirms delivered lines; confirmed is final.
func TestConfirmation_byCustomer(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t, lines(2), stacktest.InState("delivered"))
	changed, err := d.confirm(t, orderNo, ids[0])
	require.NoError(t, err)
	require.True(t, changed)
	first := d.order(t, orderNo)
	require.Equal(t, []string{"confirmed", "delivered"}, states(first))
	require.Equal(t, "delivered", first.OrderStatus)
	requireFieldsOfState(t, first.Items[0])
	changed, err = d.confirm(t, orderNo, ids...)
	require.NoError(t, err)
	require.True(t, changed)
	second := d.order(t, orderNo)
	require.Equal(t, "confirmed", second.OrderStatus)
	require.Greater(t, second.UpdatedAt, first.UpdatedAt)
	require.Equal(t, first.Items[0], second.Items[0], "a confirmed item stays unchanged")
	require.Equal(t, []string{orderNo}, d.entered(t, "confirmed", time.Now().Add(-time.Minute)))
	changed, err = d.confirm(t, orderNo, ids...)
	require.NoError(t, err)
	require.False(t, changed)
	require.Equal(t, second, d.order(t, orderNo))
}

// A member who withdraws is anonymised in every order; the sellers of each order see its updated_at change.
func TestMember_withdrawnIsForgotten(t *testing.T) {
	t.Parallel()
	d, other := openSession(t), openSession(t)
	member := uuid.NewString()
	belongs := func(o *ordersv1.Order) { o.MemberId = member }
	mixed, ids := d.place(t, belongs, stacktest.With(other.seller.ID))
	unpaid, _ := d.place(t, belongs, stacktest.Unpaid)
	stranger, _ := d.place(t)
	d.done(t, "shipment", mixed, shipped(ids...))
	mine, theirs, untouched := d.order(t, mixed), other.order(t, mixed), d.text(t, stranger)
	forget := func() int32 {
		answer, err := d.Intake.ForgetMember(t.Context(), &ordersv1.ForgetMemberRequest{MemberId: member})
		require.NoError(t, err)
		return answer.GetOrders()
	}
	require.EqualValues(t, 2, forget())
	now := d.order(t, mixed)
	require.Greater(t, now.UpdatedAt, mine.UpdatedAt)
	require.Greater(t, other.order(t, mixed).UpdatedAt, theirs.UpdatedAt)
	want := mine
	want.UpdatedAt = now.UpdatedAt
	want.OrdererName, want.OrdererPhone, want.RecipientName, want.RecipientPhone = nil, nil, nil, nil
	want.Zipcode, want.Address1, want.Address2, want.ShipMemo = nil, nil, nil, nil
	require.Equal(t, want, now, "only the contact is deleted")
	text := d.text(t, mixed)
	require.Contains(t, text, `"orderer_name":null`)
	require.NotContains(t, text, "address2")
	require.NotContains(t, text, "ship_memo")
	require.Equal(t, untouched, d.text(t, stranger))
	require.Zero(t, forget(), "there is nothing left to forget")
	require.Equal(t, text, d.text(t, mixed))
	d.RecordPayment(t, unpaid, ordersv1.PaymentOutcome_PAYMENT_OUTCOME_PAID)
	require.Nil(t, d.order(t, unpaid).OrdererName, "deleted before it was paid")
	require.Equal(t, "delivered", d.done(t, "delivery", mixed, of(ids...)).Items[0].ItemStatus, "the parcel still arrives")
}
