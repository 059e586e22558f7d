package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/orders/internal/order"
)

func TestConvert_dropsReplacingItemKeepsHold(t *testing.T) {
	t.Parallel()
	o, h := exchange(t, 2)
	standsIn := h.Items[0].ExchangeItemID
	ended, plan, err := o.Convert(&h, "C-2", false, false)
	require.NoError(t, err)
	after := apply(o, plan)
	require.Equal(t, order.HoldConverted, ended.State)
	require.Equal(t, "C-2", after.Items[0].ClaimNo)
	require.True(t, after.Items[0].HasActiveClaim)
	taken := plan.Taken
	requireHolds(t, after, taken)
	require.Equal(t, order.Canceled, after.Item(standsIn).State)
	require.Equal(t, order.GateEnded, after.Item(standsIn).Gate)

	again, plan, err := after.Convert(&ended, "C-2", false, false)
	require.NoError(t, err)
	require.Equal(t, ended, again)
	require.False(t, plan.Stamps(), "a repetition changes nothing")

	settled, plan, err := after.Settle(taken, order.DefaultTerms(), newIDs())
	require.NoError(t, err)
	require.Equal(t, order.Returned, apply(after, plan).Item(settled.Items[0].SettledItemID).State)
}

// The customer of a converted exchange gets the money back, and therefore must not also have the goods that were sent instead,
// wherever they are by now.
func TestConvert_replacingItemShipped(t *testing.T) {
	t.Parallel()
	for _, state := range order.States() {
		shipped := state.Shows().Parcel
		for position := range 2 {
			o, h := exchangeOfTwo(t, "waits", "waits")
			require.False(t, o.ExchangeShipped(&h))
			o.Item(h.Items[position].ExchangeItemID).State = state
			require.Equal(t, shipped, o.ExchangeShipped(&h), state)
			ended, plan, err := o.Convert(&h, "C-2", false, false)
			if !shipped {
				require.NoError(t, err, state)
				continue
			}
			require.ErrorIs(t, err, apierr.ClaimNotApprovable, state)
			require.Equal(t, "exchange_shipped", apierr.From(err).Data["reason"])
			require.Equal(t, h, ended, "the exchange keeps the hold")
			require.False(t, plan.Stamps(), "a refusal changes nothing")
		}
	}
}

// If an operator has corrected an item so that it cannot be returned, the conversion would create a return that can never
// complete.
func TestConvert_heldItemNotReturnable(t *testing.T) {
	t.Parallel()
	for _, state := range order.States() {
		for position := range 2 {
			o, h := exchangeOfTwo(t, "waits", "waits")
			o.Item(h.Items[position].ItemID).State = state
			ended, plan, err := o.Convert(&h, "C-2", false, false)
			if order.Items.Can(state, order.Return) {
				require.NoError(t, err, state)
				continue
			}
			require.ErrorIs(t, err, apierr.ClaimNotApprovable, state)
			require.Equal(t, "state", apierr.From(err).Data["reason"], state)
			require.Equal(t, h, ended, "the exchange keeps the hold")
			require.False(t, plan.Stamps(), "a refusal changes nothing")
		}
	}
}

// Whatever an operator corrects later, a conversion stays valid.
func TestConvert_repeated(t *testing.T) {
	t.Parallel()
	o, h := exchange(t, 2)
	ended, plan, err := o.Convert(&h, "C-2", false, false)
	require.NoError(t, err)
	o = apply(o, plan)
	o.Item(h.Items[0].ExchangeItemID).State = order.Shipping
	_, plan, err = o.Convert(&ended, "C-2", false, false)
	require.NoError(t, err)
	require.False(t, plan.Stamps())
}

// A hold that ended in another way, or is not an exchange's, is not converted.
func TestConvert_endedHold(t *testing.T) {
	t.Parallel()
	o, h := exchange(t, 2)
	for name, change := range map[string]func(*order.Hold){
		"released":                    func(h *order.Hold) { h.State = order.HoldReleased },
		"completed":                   func(h *order.Hold) { h.State = order.HoldSettled },
		"converted to another return": func(h *order.Hold) { h.State, h.ReturnClaimNo = order.HoldConverted, "C-3" },
		"not an exchange":             func(h *order.Hold) { h.Type = order.ClaimReturn },
	} {
		other := h
		change(&other)
		_, plan, err := o.Convert(&other, "C-2", false, false)
		require.ErrorIs(t, err, apierr.ClaimNotApprovable, name)
		require.Equal(t, "hold", apierr.From(err).Data["reason"], name)
		require.False(t, plan.Stamps(), name)
	}
}

// The replacing item can be canceled after the claim has stopped showing that it is reshipping: until then nobody can do
// anything with it.
func TestConvert_closesFirst(t *testing.T) {
	t.Parallel()
	o, h := exchange(t, 2)
	standsIn := h.Items[0].ExchangeItemID
	ids := []string{standsIn.String()}
	ended, plan, err := o.Convert(&h, "C-2", true, true)
	require.NoError(t, err)
	o = apply(o, plan)
	require.Equal(t, order.Paid, o.Item(standsIn).State)
	requireHolds(t, o, plan.Taken)
	_, plan, err = o.Convert(&ended, "C-2", true, true)
	require.NoError(t, err)
	require.False(t, plan.Stamps(), "a repetition changes nothing")

	_, err = o.Prepare(sellerA, ids)
	require.ErrorIs(t, err, apierr.ExchangeItemNotPreparable)
	_, err = o.Ship(sellerA, ids, parcel)
	require.ErrorIs(t, err, apierr.ExchangeItemNotReshipping)
	_, err = o.Correct(ids[0], order.Correction{To: order.Preparing}, order.DefaultTerms())
	require.ErrorIs(t, err, apierr.OrderItemHasActiveClaim)
	cancel := hold("C-3", order.ClaimCancel, 1)
	cancel.Items[0].ItemID = standsIn
	_, err = o.Open(cancel)
	require.ErrorIs(t, err, apierr.ClaimNotApprovable)
	_, plan, _ = o.Freeze(&ended, false, o.Now)
	require.False(t, plan.Stamps(), "the end of a freeze opens nothing")

	same, plan, err := o.Convert(&ended, "C-2", true, false)
	require.NoError(t, err)
	require.Equal(t, ended, same)
	o = apply(o, plan)
	require.Equal(t, order.Canceled, o.Item(standsIn).State)
	require.Equal(t, order.GateEnded, o.Item(standsIn).Gate)
	for _, closeOnly := range []bool{true, false} {
		_, plan, err = o.Convert(&ended, "C-2", true, closeOnly)
		require.NoError(t, err)
		require.False(t, plan.Stamps(), "a repetition changes nothing")
	}
}
