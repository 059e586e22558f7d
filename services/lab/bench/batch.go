package bench

import (
	"context"
	"fmt"
	"strconv"
	"time"
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

// BatchReport is the result for one way to register 500 shipments.
type BatchReport struct {
	Name   string `json:"name"`
	AtOnce int    `json:"at_once"`
	Took   spread `json:"took_us"`
	// TimesTheBatch is how many times as long the way takes as one batch.
	TimesTheBatch float64 `json:"times_the_batch"`
}

func (b *benchmark) partBatches(ctx context.Context, _ *system, w *world) error {
	ways := b.ways()
	sides := make([]contender, len(ways))
	for i, one := range ways {
		sides[i] = contender{one.name, func(ctx context.Context) (sample, error) { return b.sendAll(ctx, w, one) }}
	}
	b.say("measuring: batches")
	for _, one := range sides { // warms up
		if _, err := one.run(ctx); err != nil {
			return err
		}
	}
	samples, err := b.turns(ctx, sides)
	if err != nil {
		return err
	}
	var rows [][]string
	for i, one := range ways {
		r := BatchReport{
			Name: one.name, AtOnce: one.connections,
			Took: spreadOf(samples[i], func(s sample) float64 { return micros(s.took) }),
		}
		b.report.Batches = append(b.report.Batches, r)
		r.TimesTheBatch = r.Took.Median / b.report.Batches[0].Took.Median
		b.report.Batches[i] = r
		rows = append(rows, []string{
			r.Name, strconv.Itoa(r.AtOnce), milliseconds(r.Took.Median),
			milliseconds(r.Took.Min) + "–" + milliseconds(r.Took.Max), fmt.Sprintf("%.1f", r.TimesTheBatch),
		})
	}
	return table(b.Out, "way\tat once\ttook\tbetween\ttimes the batch", rows)
}

// sendAll repeats a way for the time of a round, each time with other orders of the largest seller, and returns the average
// time that it took.
func (b *benchmark) sendAll(ctx context.Context, w *world, one way) (sample, error) {
	var spent time.Duration
	times := 0
	for ; times == 0 || spent < b.Time; times++ {
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
	return sample{took: spent / time.Duration(times)}, nil
}
