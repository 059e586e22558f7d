package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sellerapi.dev/services/sandbox/market"
)

// Parts are the names of all parts, in the order in which they are measured.
const Parts = "gateway,footprint,reads,writes,batches,growth"

// part is a part of the benchmark: one that uses the marketplace of many sellers, or one that creates worlds of its own.
type part struct {
	inTrade func(b *benchmark, ctx context.Context, s *system, w *world) error
	alone   func(b *benchmark, ctx context.Context) error
}

var parts = map[string]part{
	"gateway": {alone: (*benchmark).partGateway}, "footprint": {alone: (*benchmark).partFootprint},
	"reads": {inTrade: (*benchmark).partReads}, "writes": {inTrade: (*benchmark).partWrites},
	"batches": {inTrade: (*benchmark).partBatches}, "growth": {alone: (*benchmark).partGrowth},
}

// run measures the selected parts. One that fails does not keep the others from being measured.
func (b *benchmark) run(ctx context.Context) error {
	if err := b.report.Say(b.about()...); err != nil {
		return err
	}
	var trade marketplace
	defer func() { _ = trade.stop() }()
	var problems []error
	for name := range strings.SplitSeq(Parts, ",") {
		if !slices.Contains(b.Parts, name) || ctx.Err() != nil {
			continue
		}
		if err := b.measure(ctx, parts[name], &trade); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errors.Join(append(problems, ctx.Err())...)
}

func (b *benchmark) measure(ctx context.Context, one part, trade *marketplace) error {
	if one.alone != nil {
		return one.alone(b, ctx)
	}
	if err := trade.open(ctx, b); err != nil {
		return err
	}
	return one.inTrade(b, ctx, trade.system, trade.world)
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
	return b.findClaims(ctx, w)
}
