package order_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/orders/internal/order"
)

// While an exchange is frozen, the seller cannot ship the replacing item; the claim's own reshipment, which was registered
// before, continues. A message that is older than the last change is ignored.
func TestFreeze_shipment(t *testing.T) {
	t.Parallel()
	o, h := exchange(t, 2)
	id := []string{h.Items[0].ExchangeItemID.String()}
	at := func(minutes int) time.Time { return o.Now.Add(time.Duration(minutes) * time.Minute) }

	frozen, plan, _ := o.Freeze(&h, true, at(1))
	require.True(t, frozen.Frozen)
	require.True(t, plan.Stamps())
	o = apply(o, plan)
	_, err := o.Ship(sellerA, id, parcel)
	require.ErrorIs(t, err, apierr.ExchangeItemNotReshipping)
	_, err = o.Prepare(sellerA, id)
	require.NoError(t, err, "only the shipment is blocked")
	_, _, err = o.ShipExchangeLine(&frozen, "R-1", parcel, order.DefaultTerms(), newIDs())
	require.NoError(t, err)

	late, plan, _ := o.Freeze(&frozen, false, at(0))
	require.Equal(t, frozen, late)
	require.False(t, plan.Stamps())

	thawed, plan, _ := o.Freeze(&frozen, false, at(2))
	require.False(t, thawed.Frozen)
	_, err = apply(o, plan).Ship(sellerA, id, parcel)
	require.NoError(t, err)
}

// The replacing item is created frozen if the claim is, because its inspection was registered before.
func TestFreeze_beforeReplacement(t *testing.T) {
	t.Parallel()
	o, h := locked(heldBy("C-1", itemIn(order.Delivered))), hold("C-1", order.ClaimExchange, 2)
	frozen, plan, _ := o.Freeze(h, true, o.Now)
	require.False(t, plan.Stamps(), "the order is unchanged")
	_, plan, err := o.AddExchangeLine(&frozen, replacements(), newIDs())
	require.NoError(t, err)
	require.Equal(t, order.GateFrozen, plan.Added[0].Gate)
}
