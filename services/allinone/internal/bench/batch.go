package bench

import "context"

// batchEntries is how many shipments a batch may have.
const batchEntries = 500

// measureBatches measures three ways to register 500 shipments through the gateway, in turns: one batch, 500
// calls one after the other, as an ERP makes them that has one connection, and 500 calls side by side.
func (b *benchmark) measureBatches(ctx context.Context) ([]batchResult, error) {
	w := b.worlds[len(b.worlds)-1]
	ways := []batchResult{
		{name: "one batch of 500", connections: 1, requests: func(orders []shippable) [][]byte { return [][]byte{w.batch(orders)} }},
		{name: "500 calls", connections: 1, requests: w.shipments},
		{name: "500 calls", connections: b.Concurrency, requests: w.shipments},
	}
	if err := w.restock(ctx, len(ways)*(1+b.Rounds)*batchEntries); err != nil {
		return nil, err
	}
	b.say("measuring: batches of %d", batchEntries)
	for round := range 1 + b.Rounds {
		for i := range ways {
			took, err := b.send(ctx, w, ways[i].requests(w.take(batchEntries)), ways[i].connections)
			if err != nil {
				return nil, err
			}
			if round > 0 { // the first one warms up
				ways[i].taken = append(ways[i].taken, took)
			}
		}
	}
	return ways, w.requireShipped(ctx)
}
