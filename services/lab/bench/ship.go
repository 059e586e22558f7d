package bench

import (
	"context"
	"fmt"
	"time"
)

// manyAtOnce is the time limit of a closed loop that ends when its requests are used up.
const manyAtOnce = time.Hour

type shipping struct {
	name      string
	sellers   []*seller
	oneSeller bool
}

// partShipments measures shipments: one at a time, several at once of several sellers, and several at once of one seller.
func (b *benchmark) partShipments(ctx context.Context, s *system, w *world) error {
	session, err := s.session(ctx, "orders")
	if err != nil {
		return err
	}
	least, err := newLeastTables(ctx, w.databaseURL)
	if err != nil {
		return err
	}
	var results []result
	for _, one := range b.shippings(w) {
		b.say("measuring: %s", one.name)
		measured, err := b.measureShipping(ctx, w, least, session, one)
		if err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
		results = append(results, measured)
	}
	return b.addCalls(results)
}

const (
	shipmentAlone = "shipment"
	shipmentsMany = "shipment, each connection a seller"
	shipmentsOne  = "shipment, all of one seller"
)

// Concurrent shipments of several sellers come from sellers of the panel, each with one connection.
func (b *benchmark) shippings(w *world) []shipping {
	different, seen := []*seller{}, map[*seller]bool{}
	for _, one := range w.panel {
		if !seen[one] && len(different) < b.Concurrency {
			different, seen[one] = append(different, one), true
		}
	}
	same := make([]*seller, b.Concurrency)
	for i := range same {
		same[i] = w.largest
	}
	return []shipping{{shipmentAlone, same[:1], true}, {shipmentsMany, different, false}, {shipmentsOne, same, true}}
}

// shipper makes the given number of shipments on each connection, after a warm-up, and returns a sample without the warm-up.
type shipper func(ctx context.Context, warm, each int) (sample, error)

// measureShipping measures a kind of shipments on three sides. Each ships orders of its own, as many as fit into the time
// of a round.
func (b *benchmark) measureShipping(ctx context.Context, w *world, least *leastTables, session string,
	kind shipping,
) (result, error) {
	pair, err := b.captureShipments(ctx, w, kind.sellers[0])
	if err != nil {
		return result{}, err
	}
	if err := takeSeats(ctx, w.databaseURL, kind.sellers); err != nil {
		return result{}, err
	}
	of := pgbench{database: w.databaseURL, session: session, clients: len(kind.sellers)}
	r := result{name: kind.name, owner: "orders", rows: 1, atOnce: len(kind.sellers)}
	var sides []contender
	for _, one := range []struct {
		name string
		ship shipper
	}{
		{throughGateway, func(ctx context.Context, warm, each int) (sample, error) {
			return w.ship(ctx, kind.sellers, warm, each)
		}},
		{sameStatements, func(ctx context.Context, warm, each int) (sample, error) {
			return b.replayed(ctx, w, of, pair, kind.sellers, warm+each)
		}},
		{leastTransaction, func(ctx context.Context, warm, each int) (sample, error) {
			return b.leastShipped(ctx, least, of, warm+each, kind.oneSeller)
		}},
	} {
		side, err := b.paced(ctx, one.name, one.ship, len(kind.sellers))
		if err != nil {
			return result{}, fmt.Errorf("%s: %w", one.name, err)
		}
		sides, r.sides = append(sides, side), append(r.sides, one.name)
	}
	r.samples, err = b.turns(ctx, sides)
	return r, err
}

const firstShipments = 50

// paced returns a side that ships for about the time of a round, according to the rate of a first run.
func (b *benchmark) paced(ctx context.Context, name string, ship shipper, connections int) (contender, error) {
	first, err := ship(ctx, 0, firstShipments)
	if err != nil {
		return contender{}, err
	}
	each := func(time time.Duration) int { return max(1, int(first.perSecond*time.Seconds())/connections) }
	return contender{name, func(ctx context.Context) (sample, error) { return ship(ctx, each(b.Warm), each(b.Time)) }}, nil
}

func (w *world) ship(ctx context.Context, sellers []*seller, warm, count int) (sample, error) {
	placed, err := w.place(ctx, sellers, warm+count)
	if err != nil {
		return sample{}, err
	}
	before, behind := make([][][]byte, len(sellers)), make([][][]byte, len(sellers))
	for i, orders := range placed {
		for n, o := range orders {
			request := o.shipment(sellers[i].key)
			if n < warm {
				before[i] = append(before[i], request)
			} else {
				behind[i] = append(behind[i], request)
			}
		}
	}
	if warm > 0 {
		if _, err := closedLoop(ctx, w.env.GatewayURL, len(sellers), manyAtOnce, each(before)); err != nil {
			return sample{}, err
		}
	}
	return w.meter.measured(func() ([]time.Duration, error) {
		return closedLoop(ctx, w.env.GatewayURL, len(sellers), manyAtOnce, each(behind))
	})
}

// replayed makes pgbench execute the service's statements for other orders, and checks that these are shipped afterwards: a
// side that did not do its work would be fast.
func (b *benchmark) replayed(ctx context.Context, w *world, p pgbench, pair [2]transaction, sellers []*seller,
	count int,
) (sample, error) {
	placed, err := w.place(ctx, sellers, count)
	if err != nil {
		return sample{}, err
	}
	var first int
	if _, err := fmt.Sscan(placed[0][0].no, &first); err != nil {
		return sample{}, err
	}
	p.scripts, p.transactions = []script{replay(pair, sellers[0].id, first, count)}, count
	measured, err := b.pgbench(ctx, p)
	if err != nil {
		return sample{}, err
	}
	for i, orders := range placed {
		for _, o := range []shippable{orders[0], orders[len(orders)-1]} {
			if err := w.requireShipped(ctx, sellers[i], o.no); err != nil {
				return sample{}, err
			}
		}
	}
	return measured, nil
}

func (b *benchmark) leastShipped(ctx context.Context, least *leastTables, p pgbench, count int, oneSeller bool) (sample, error) {
	first, err := least.place(ctx, p.clients, count, oneSeller)
	if err != nil {
		return sample{}, err
	}
	p.scripts, p.transactions = []script{least.shipping(first, count, oneSeller)}, count
	return b.pgbench(ctx, p)
}
