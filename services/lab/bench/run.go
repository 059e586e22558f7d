package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sellerapi.dev/services/allinone/market"
)

// parts are the parts of the benchmark. Parts with inTrade use the marketplace of many sellers, parts with alone create
// worlds of their own.
var parts = []struct {
	name    string
	inTrade func(b *benchmark, ctx context.Context, s *system, w *world) error
	alone   func(b *benchmark, ctx context.Context) error
}{
	{name: "footprint", alone: (*benchmark).partFootprint},
	{name: "reads", inTrade: (*benchmark).partReads},
	{name: "shipments", inTrade: (*benchmark).partShipments},
	{name: "batches", inTrade: (*benchmark).partBatches},
	{name: "growth", alone: (*benchmark).partGrowth},
}

// run measures the selected parts. One that fails does not keep the others from being measured.
func (b *benchmark) run(ctx context.Context) error {
	if err := b.introduce(b.about()); err != nil {
		return err
	}
	var trade marketplace
	defer func() { _ = trade.stop() }()
	var problems []error
	for _, part := range parts {
		if !slices.Contains(b.Parts, part.name) || ctx.Err() != nil {
			continue
		}
		problems = append(problems, b.during(part.name, func() error {
			if part.inTrade == nil {
				return part.alone(b, ctx)
			}
			if err := trade.open(ctx, b); err != nil {
				return err
			}
			return part.inTrade(b, ctx, trade.system, trade.world)
		}))
	}
	return errors.Join(append(problems, ctx.Err(), b.compareWithBars())...)
}

// marketplace is that of many sellers, which several parts share.
type marketplace struct {
	system *system
	world  *world
}

// open starts and fills the marketplace for the first part that needs it.
func (m *marketplace) open(ctx context.Context, b *benchmark) (err error) {
	if m.system == nil {
		m.system, m.world, err = b.tradeOf(ctx, b.tree, "trade")
	}
	return err
}

func (m *marketplace) stop() error {
	if m.system == nil {
		return nil
	}
	return m.system.stop()
}

func (b *benchmark) during(name string, run func() error) error {
	load := loadAverage()
	b.report.Parts = append(b.report.Parts, PartReport{Name: name, LoadBefore: load})
	if _, err := fmt.Fprintf(b.Out, "\n%s (load of the machine before: %s)\n\n", name, load); err != nil {
		return err
	}
	if err := run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// claimantsOfTrade is how many sellers of the marketplace have claims and inquiries, panelSize how many draws of sellers
// make calls.
const (
	claimantsOfTrade = 4
	panelSize        = 48
)

func (b *benchmark) tradeOf(ctx context.Context, t *tree, name string) (*system, *world, error) {
	b.say("filling a marketplace of %d orders of %d sellers", b.Orders, b.Sellers)
	s, err := b.newSystem(ctx, t, name, services)
	if err != nil {
		return nil, nil, err
	}
	w, err := b.trade(ctx, s)
	if err != nil {
		return nil, nil, errors.Join(err, s.complaints(), s.stop())
	}
	return s, w, nil
}

func (b *benchmark) trade(ctx context.Context, s *system) (*world, error) {
	sellers, err := shares(b.Sellers)
	if err != nil {
		return nil, err
	}
	g := goods{sellers: sellers, orders: b.Orders, claimants: claimantsOfTrade, claimsEach: b.Claims, inquiriesEach: b.Claims}
	w, err := newWorld(ctx, b, s, g)
	if err != nil {
		return nil, err
	}
	return w, b.prepare(ctx, w, sellers)
}

func (b *benchmark) prepare(ctx context.Context, w *world, sellers []market.Seller) error {
	err := w.draw(ctx, sellers, panelSize, func(s *seller) bool { return s.walk.orders >= 2*b.Page })
	if err != nil {
		return err
	}
	if b.claims == nil {
		b.claims = map[*seller][]string{}
	}
	return b.findClaims(ctx, w)
}

func (b *benchmark) partReads(ctx context.Context, s *system, w *world) error {
	results, err := b.measureReads(ctx, s, w)
	if err != nil {
		return err
	}
	return b.addCalls(results)
}
