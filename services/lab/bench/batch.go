package bench

import (
	"context"
	"time"

	"sellerapi.dev/services/lab/report"
)

type way struct {
	name        string
	connections int
	requests    func([]shippable, *seller) [][][]byte
}

const (
	oneBatch   = "one batch of 500"
	oneByOne   = "500 calls in turn"
	sideBySide = "500 calls at once"
)

func (b *benchmark) ways() []way {
	return []way{
		{oneBatch, 1, func(orders []shippable, s *seller) [][][]byte { return [][][]byte{{batch(orders, s.key)}} }},
		{oneByOne, 1, func(orders []shippable, s *seller) [][][]byte { return dealt(orders, s, 1) }},
		{sideBySide, b.Concurrency, func(orders []shippable, s *seller) [][][]byte { return dealt(orders, s, b.Concurrency) }},
	}
}

func dealt(orders []shippable, s *seller, connections int) [][][]byte {
	lists := make([][][]byte, connections)
	for i, o := range orders {
		lists[i%connections] = append(lists[i%connections], o.shipment(s.key))
	}
	return lists
}

// partBatches measures how long 500 shipments take in each way.
func (b *benchmark) partBatches(ctx context.Context, _ *system, w *world) error {
	ways := b.ways()
	sides := make([]*side, len(ways))
	for i, one := range ways {
		sides[i] = &side{name: one.name, run: func(ctx context.Context) (sample, error) { return b.sendAll(ctx, w, one) }}
		if _, err := sides[i].run(ctx); err != nil { // warms up
			return err
		}
	}
	if err := b.turns(ctx, sides); err != nil {
		return err
	}
	rows := make([][]string, len(ways))
	for i, one := range sides {
		rows[i] = []string{one.name, one.spread(perSecond, "%.2f"), times(sides[0].ratio(perSecond, one, perSecond))}
	}
	b.report.Add(
		report.Bar{Name: "a batch of 500 against " + oneByOne, Unit: "x", AtLeast: 8}.
			Compare(sides[0].ratio(perSecond, sides[1], perSecond)),
		report.Bar{Name: "a batch of 500 against " + sideBySide, Unit: "x", AtLeast: 4}.
			Compare(sides[0].ratio(perSecond, sides[2], perSecond)))
	return b.report.Table("batches", []string{"way", "times a second", "one batch is faster by"}, rows)
}

// sendAll repeats a way for the time of a round, each time with other orders of the largest seller, and returns how often
// that was possible in a second.
func (b *benchmark) sendAll(ctx context.Context, w *world, one way) (sample, error) {
	var spent time.Duration
	done := 0
	for ; done == 0 || spent < b.Time; done++ {
		placed, err := w.place(ctx, []*seller{w.largest}, b.Batch)
		if err != nil {
			return sample{}, err
		}
		requests := one.requests(placed[0], w.largest)
		began := time.Now()
		if _, err := closedLoop(ctx, w.env.GatewayURL, one.connections, manyAtOnce, each(requests)); err != nil {
			return sample{}, err
		}
		spent += time.Since(began)
		// a batch is answered with 200 whatever becomes of its entries
		for _, o := range []shippable{placed[0][0], placed[0][b.Batch-1]} {
			if err := w.requireShipped(ctx, w.largest, o.no); err != nil {
				return sample{}, err
			}
		}
	}
	return sample{perSecond: float64(done) / spent.Seconds()}, nil
}
