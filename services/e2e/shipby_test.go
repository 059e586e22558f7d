package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/timestamp"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// shipBy sets by when the first seller's lines should be shipped.
func shipBy(at time.Time) stacktest.OrderOption {
	return func(o *ordersv1.Order) {
		for _, line := range o.GetSellers()[0].GetLines() {
			line.ShipBy = timestamppb.New(at)
		}
	}
}

// A line shows by when it should be shipped until it is, and the filter finds exactly the orders with such a line.
func TestShipBy_shownAndFiltered(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	at := time.Now().Add(24 * time.Hour).UTC().Truncate(time.Microsecond)
	no, ids := d.place(t, lines(2), shipBy(at))
	d.PlaceNew(t, d.seller.ID, shipBy(at.Add(time.Microsecond)))
	d.PlaceNew(t, d.seller.ID)
	for _, state := range []string{"shipping", "delivered", "confirmed", "canceled", "returned", "exchanged"} {
		d.PlaceNew(t, d.seller.ID, stacktest.InState(state), shipBy(at))
	}
	due := func(at time.Time) []string { return list(t, d.Stack, d.seller, "ship_by_lte", timestamp.Format(at)) }
	require.Equal(t, []string{no}, due(at))
	require.Empty(t, due(at.Add(-time.Microsecond)))
	require.Equal(t, []string{no}, list(t, d.Stack, d.seller, "ship_by_lte", timestamp.Format(at), "item_status", "paid",
		"order_status", "paid", "paid_at_gte", "2020-01-01T00:00:00Z", "updated_at_gte", "2020-01-01T00:00:00Z"))
	shown := func() []string {
		answer := d.client.Do(t, stacktest.Get("", "/open/v1/orders/"+no))
		var shown []string
		for _, item := range stacktest.RequireOK[stacktest.Order](t, answer).Items {
			if item.ShipBy != nil {
				shown = append(shown, *item.ShipBy)
			}
		}
		return shown
	}
	require.Equal(t, []string{timestamp.Format(at), timestamp.Format(at)}, shown())

	moved := at.Add(-time.Hour)
	d.SetShipBy(t, no, ids[0], moved)
	require.Equal(t, []string{no}, due(moved))
	require.Equal(t, []string{timestamp.Format(moved), timestamp.Format(at)}, shown())
	stacktest.RequireOK[any](t, d.client.Do(t, d.toShip(t, no, shipped(ids[0]))))
	require.Empty(t, due(moved))
	require.Equal(t, []string{no}, due(at))
	require.Equal(t, []string{timestamp.Format(at)}, shown())
}

// A time that cannot be read is refused as in every other filter, and a reader forwards takes this one as little as any.
func TestShipBy_refusals(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, query := range [][]string{{"ship_by_lte", "tomorrow"}, {"ship_by_lte", "2026-01-01T00:00:00Z", "after", "beginning"}} {
		answer := d.client.Do(t, stacktest.Get("", "/open/v1/orders", query...))
		stacktest.RequireFailure(t, answer, http.StatusUnprocessableEntity, "VALIDATION_ERROR")
		require.Contains(t, string(answer.Body), "query.ship_by_lte")
	}
}
