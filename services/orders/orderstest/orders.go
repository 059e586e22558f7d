// Package orderstest gives the tests of a caller of the orders service the service itself, on a database of its own: its
// procedures for claims on a port, orders to claim, and a view of what the calls did. Faults between the two are injected by
// package rpctest.
package orderstest

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust/trusttest"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/services/orders/internal/lines"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
	"sellerapi.dev/services/orders/internal/store"
	"sellerapi.dev/services/orders/internal/store/storetest"
)

// callTimeout limits one call: longer than any test waits, so that a call that was delayed is performed and not given up.
const callTimeout = time.Minute

// Orders is the orders service of one test. Its methods are safe for concurrent use and fail the test on errors.
type Orders struct {
	// Faults are injected into the calls of the service.
	rpctest.Faults
	tb       testing.TB
	store    *store.Store
	db       *pgtest.DB
	recorder *pgtest.Recorder
}

// New returns a service without orders.
func New(tb testing.TB) *Orders {
	tb.Helper()
	o := &Orders{tb: tb}
	_, o.db = storetest.New(tb)
	pool, recorder := o.db.Recorded(tb)
	o.store, o.recorder = store.New(pool, order.DefaultTerms()), recorder
	return o
}

// Serve serves the procedures for claims on a port of their own until the end of the test, and returns its address.
func (o *Orders) Serve(tb testing.TB) string {
	tb.Helper()
	mux, err := rpc.NewMux("orders", trusttest.Keys(), rpc.Config{Timeout: callTimeout}, telemetrytest.Discard(tb))
	require.NoError(tb, err)
	mux.Handle(ordersv1connect.NewClaimLinesHandler(&lines.Service{Holds: o.store, Terms: order.DefaultTerms()}, mux.Options()))
	server := httptest.NewServer(o.Around(mux))
	tb.Cleanup(server.Close)
	return server.URL
}

// The amounts of every order that Place places.
const (
	UnitPrice   = 5000
	ShippingFee = 3000
)

// pasts are the states that a placed line entered before the one it is in.
var pasts = map[string][]order.State{
	"preparing": {order.Preparing}, "shipping": {order.Shipping}, "delivered": {order.Shipping, order.Delivered},
}

// Place places an order of one seller with a line for each quantity, all in the state: paid, preparing, shipping or delivered.
// Each piece costs UnitPrice, and the payment and the delivery are now. It returns the ids of the lines.
func (o *Orders) Place(seller uuid.UUID, orderNo, state string, quantities ...int64) []uuid.UUID {
	return o.PlaceWithPoints(0, seller, orderNo, state, quantities...)
}

// PlaceWithPoints is Place for an order that was paid in part with points.
func (o *Orders) PlaceWithPoints(points int64, seller uuid.UUID, orderNo, state string, quantities ...int64) []uuid.UUID {
	now := time.Now().Truncate(time.Microsecond)
	placed := ordertest.New(orderNo, now, seller)
	part := &placed.Parts[0]
	part.Charges = order.Charges{PointUsed: points, ShippingFeeBase: ShippingFee, ShippingFeePaid: ShippingFee}
	part.Lines = nil
	ids := make([]uuid.UUID, 0, len(quantities))
	for _, quantity := range quantities {
		line := order.Line{
			ID: uuid.New(), ProductID: "P-1", ProductName: "셔츠", OptionName: "빨강 / M",
			Quantity: quantity, ListPrice: UnitPrice, UnitPrice: UnitPrice,
		}
		ordertest.History(&line, now, 0, pasts[state]...)
		part.Lines, ids = append(part.Lines, line), append(ids, line.ID)
	}
	results, err := o.store.Place(o.tb.Context(), []order.Placement{placed})
	require.NoError(o.tb, err)
	require.Equal(o.tb, order.Placed, results[0].Outcome)
	return ids
}

// Backdate sets the times at which an order was paid and its delivered lines arrived.
func (o *Orders) Backdate(orderNo string, paid, delivered time.Time) {
	o.exec("update orders set paid_at = $2 where order_no = $1", orderNo, paid)
	o.exec(`update seller_orders set paid_at = $2 where order_id in (select order_id from orders where order_no = $1)`, orderNo,
		paid)
	o.exec(`update lines set delivered_at = $2
		where delivered_at is not null and order_id in (select order_id from orders where order_no = $1)`, orderNo, delivered)
}

// Ship ships a line as its seller does.
func (o *Orders) Ship(id uuid.UUID, parcel carrier.Shipment) {
	var call order.ProcessCommand
	o.scan("select seller_id, order_no from lines join orders using (seller_id, order_id) where item_id = $1", []any{id},
		&call.SellerID, &call.OrderNo)
	call.ItemIDs = []string{id.String()}
	_, err := o.store.ShipAlone(o.tb.Context(), call, parcel)
	require.NoError(o.tb, err)
}

// Correct moves a line to a state as an operator does, and returns the refusal. A line that needs a parcel gets one.
func (o *Orders) Correct(id uuid.UUID, state string) error { return o.correct(id, state, nil) }

// CorrectParcel corrects the parcel of a line as an operator does.
func (o *Orders) CorrectParcel(id uuid.UUID, parcel carrier.Shipment) {
	var state string
	o.scan("select item_status from lines where item_id = $1", []any{id}, &state)
	require.NoError(o.tb, o.correct(id, state, &parcel))
}

// Force is Correct for a line whose claim is sealed, which no operator can correct.
func (o *Orders) Force(id uuid.UUID, state string) {
	const unseal = "update claim_holds set sealed = $2 where claim_no = (select claim_no from lines where item_id = $1)"
	sealed := false
	o.scan(`select coalesce((select sealed from claim_holds h join lines l using (claim_no) where l.item_id = $1), false)`,
		[]any{id}, &sealed)
	o.exec(unseal, id, false)
	require.NoError(o.tb, o.Correct(id, state))
	o.exec(unseal, id, sealed)
}

func (o *Orders) correct(id uuid.UUID, state string, parcel *carrier.Shipment) error {
	correction := order.Correction{To: order.State(state), Parcel: parcel}
	var orderNo string
	var hasParcel bool
	o.scan("select order_no, shipment_id is not null from lines join orders using (seller_id, order_id) where item_id = $1",
		[]any{id},
		&orderNo, &hasParcel)
	if parcel == nil && !hasParcel && correction.To.Shows().Parcel {
		correction.Parcel = &carrier.Shipment{Carrier: carrier.Lotte, TrackingNo: "612345678901"}
	}
	act := order.Act{ID: uuid.NewString(), Operator: "kim", Reason: "dispute"}
	_, err := o.store.Correct(o.tb.Context(), orderNo, id.String(), correction, act)
	return err
}

// Release ends the hold of a claim, as its caller can.
func (o *Orders) Release(claimNo string) {
	require.NoError(o.tb, o.store.Release(o.tb.Context(), claimNo))
}
