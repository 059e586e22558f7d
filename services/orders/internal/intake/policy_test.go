package intake_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// A seller's policy may be set again and again; one of no seller is refused.
func TestSetSellerPolicy_setAndRefused(t *testing.T) {
	t.Parallel()
	p := setup(t)
	for _, may := range []bool{true, true, false} {
		_, err := p.client.SetSellerPolicy(t.Context(), &ordersv1.SetSellerPolicyRequest{
			SellerId: p.seller.String(), ShipmentCorrection: may,
		})
		require.NoError(t, err)
	}
	for _, id := range []string{"", "x", uuid.Nil.String()} {
		_, err := p.client.SetSellerPolicy(t.Context(), &ordersv1.SetSellerPolicyRequest{SellerId: id})
		require.Contains(t, err.Error(), "seller_id")
	}
}
