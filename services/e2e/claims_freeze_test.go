package e2e

import (
	"context"
	"net/http"
	"testing"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// While the order is locked neither a freeze nor its end is answered: an operator who has frozen an exchange must know that
// nothing of it leaves, and a seller whose exchange is not frozen any more must be able to ship its line.
func TestFreeze_waitsForItsLine(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim, fresh := d.reshippingLine(t)
	whileLocked := func(change func(context.Context) error) {
		t.Helper()
		const order = "select from orders.orders where seller_id = $1 and order_no = $2 for no key update"
		lock := d.Lock(t, order, d.seller.ID, claim.OrderNo)
		answered := make(chan error, 1)
		go func() { answered <- change(t.Context()) }()
		stacktest.Await(t, "the call waits for the order", func() bool { return lock.IsWantedBy(t, 1) })
		require.Empty(t, answered)
		stacktest.RequireFailure(t, d.act(t, claim.ClaimNo, "reship", requestBody("reship")), http.StatusServiceUnavailable, "")
		lock.Release(t)
		err := <-answered
		if connect.CodeOf(err) == connect.CodeUnavailable { // the machine was busy for longer than a call waits
			err = change(t.Context())
		}
		require.NoError(t, err)
	}
	whileLocked(func(ctx context.Context) error {
		_, err := d.Claims.FreezeClaim(ctx, &claimsv1.FreezeClaimRequest{ClaimNo: claim.ClaimNo, Operator: "운영자", Reason: "분쟁"})
		return err
	})
	d.requireBarred(t, claim.OrderNo, fresh.ItemID)
	whileLocked(func(ctx context.Context) error {
		_, err := d.Claims.UnfreezeClaim(ctx, &claimsv1.UnfreezeClaimRequest{ClaimNo: claim.ClaimNo, Operator: "운영자"})
		return err
	})
	require.Equal(t, "shipping", d.done(t, "shipment", claim.OrderNo, toShip(fresh.ItemID)).Items[0].ItemStatus)
}
