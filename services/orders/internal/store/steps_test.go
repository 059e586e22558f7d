package store

import (
	"context"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/services/orders/internal/order"
)

// The steps of claims as the procedures of the service make them.

func (h *shop) step(ctx context.Context, claimNo string, rule order.Rule) error {
	_, err := h.s.Decide(ctx, claimNo, rule)
	return err
}

func (h *shop) settle(ctx context.Context, claimNo string) (order.Hold, error) {
	return h.s.Decide(ctx, claimNo, func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.Settle(hold, h.s.terms, newID)
	})
}

func (h *shop) seal(ctx context.Context, claimNo string) error {
	return h.step(ctx, claimNo, (*order.Locked).Seal)
}

func (h *shop) addExchangeLine(ctx context.Context, claimNo string, wanted []order.Replacement) (order.Hold, error) {
	return h.s.Decide(ctx, claimNo, func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.AddExchangeLine(hold, wanted, newID)
	})
}

func (h *shop) shipExchangeLine(ctx context.Context, claimNo, ref string, parcel carrier.Shipment) (order.Hold, error) {
	return h.s.Decide(ctx, claimNo, func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.ShipExchangeLine(hold, ref, parcel, h.s.terms, newID)
	})
}

func (h *shop) convert(ctx context.Context, claimNo, returnNo string, seal, closeOnly bool) error {
	return h.step(ctx, claimNo, func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.Convert(hold, returnNo, seal, closeOnly)
	})
}

func (h *shop) touch(ctx context.Context, claimNo, step string, whileHeld bool) error {
	_, err := h.s.DecideOnce(ctx, claimNo, step, func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.Touch(hold, whileHeld)
	})
	return err
}
