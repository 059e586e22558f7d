package e2e

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

var printed = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$`)

// Clients compare timestamps as strings; a dropped zero would break their order.
func TestTimestamps_sixDigitsAndZ(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	at := time.Now().Add(-300 * time.Hour).UTC().Truncate(time.Second) // six zeros
	order := stacktest.NewOrder(seller.ID, stacktest.PaidAt(at))
	stacktest.SetHistory(order.GetSellers()[0].GetLines()[0], at, time.Hour, "preparing", "shipping", "delivered", "confirmed")
	s.Place(t, order)
	got := stacktest.RequireOK[stacktest.Order](t, s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders/"+order.GetOrderNo())))
	item := got.Items[0]
	require.Equal(t, at.Format("2006-01-02T15:04:05")+".000000Z", got.PaidAt)
	for _, text := range []string{got.PaidAt, got.UpdatedAt, *item.ShippedAt, *item.DeliveredAt, *item.ConfirmedAt} {
		require.Regexp(t, printed, text)
	}
	require.Equal(t, at.Add(2*time.Hour).Format("2006-01-02T15:04:05")+".000000Z", *item.ShippedAt)
	require.Equal(t, at.Add(3*time.Hour).Format("2006-01-02T15:04:05")+".000000Z", *item.DeliveredAt)
	require.Equal(t, at.Add(4*time.Hour).Format("2006-01-02T15:04:05")+".000000Z", *item.ConfirmedAt)
}
