package bench

import (
	"context"
	"fmt"
	"time"

	"sellerapi.dev/services/lab/report"
)

// manyAtOnce is the time limit of a closed loop that ends when its requests are used up.
const manyAtOnce = time.Hour

const (
	shipmentAlone = "shipment"
	shipmentsMany = "shipment, each connection a seller"
	shipmentsOne  = "shipment, all of one seller"
	approval      = "approve, each connection a seller"
	inspection    = "inspect, pass and refund, each a seller"
)

// prepare returns requests that can be made once, count for each of the sellers.
type prepare func(ctx context.Context, w *world, sellers []*seller, count int) ([][][]byte, error)

// write is a kind of process calls; each of the sellers has a connection.
type write struct {
	name    string
	sellers []*seller
	prepare prepare
	// least is the minimal transaction with the same guarantees on as many connections, if it is compared.
	least *side
}

// writes returns the kinds of process calls. Different sellers are taken from the panel.
func (b *benchmark) writes(w *world) []write {
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
	return []write{
		{name: shipmentAlone, sellers: same[:1], prepare: shipments},
		{name: shipmentsMany, sellers: different, prepare: shipments},
		{name: shipmentsOne, sellers: same, prepare: shipments},
		{name: approval, sellers: different, prepare: approvals},
		{name: inspection, sellers: different, prepare: inspections},
	}
}

// partWrites measures process calls, shipments beside the minimal transaction and actions on claims beside shipments.
func (b *benchmark) partWrites(ctx context.Context, _ *system, w *world) error {
	least, err := newLeastTables(ctx, w.databaseURL)
	if err != nil {
		return err
	}
	kinds, named := b.writes(w), map[string]*side{}
	var sides []*side
	for n := range kinds {
		one, err := b.writing(ctx, w, kinds[n])
		if err != nil {
			return err
		}
		sides, named[one.name] = append(sides, one), one
		if kinds[n].name == shipmentAlone || kinds[n].name == shipmentsMany {
			kinds[n].least, err = b.paced(ctx, "least transaction: "+one.name, len(kinds[n].sellers),
				func(ctx context.Context, warm, each int) (sample, error) {
					return b.leastShipped(ctx, least, len(kinds[n].sellers), warm+each)
				})
			if err != nil {
				return err
			}
			sides = append(sides, kinds[n].least)
		}
	}
	if err := b.turns(ctx, sides); err != nil {
		return err
	}
	b.compareWrites(kinds, named)
	rows := make([][]string, len(sides))
	for i, one := range sides {
		rows[i] = one.cells()
	}
	return b.report.Table("process calls", cellNames, rows)
}

func (b *benchmark) compareWrites(kinds []write, named map[string]*side) {
	for _, kind := range kinds {
		if kind.least == nil {
			continue
		}
		b.report.Yardstick(kind.least.name+", PostgreSQL", kind.least.median(postgresCPU), "µs CPU")
		b.report.Yardstick(kind.least.name, kind.least.median(perSecond), "transactions/s")
		b.report.Add(report.Bar{Name: kind.name + ", PostgreSQL CPU of the least transaction", Unit: "x", AtMost: 1.6}.
			Compare(named[kind.name].ratio(postgresCPU, kind.least, postgresCPU)))
	}
	shipment := named[shipmentsMany]
	for _, action := range []struct {
		name, call string
		most       float64
	}{{"approve", approval, 2}, {"inspect with pass and refund", inspection, 4}} {
		b.report.Add(
			report.Bar{Name: action.name + ", services' CPU of a shipment's", Unit: "x", AtMost: action.most}.
				Compare(named[action.call].ratio(servicesCPU, shipment, servicesCPU)),
			report.Bar{Name: action.name + ", PostgreSQL CPU of a shipment's", Unit: "x", AtMost: action.most}.
				Compare(named[action.call].ratio(postgresCPU, shipment, postgresCPU)))
	}
}

func (b *benchmark) writing(ctx context.Context, w *world, kind write) (*side, error) {
	return b.paced(ctx, kind.name, len(kind.sellers), func(ctx context.Context, warm, each int) (sample, error) {
		return w.process(ctx, kind, warm, each)
	})
}

const firstWrites = 50

// paced returns a side that makes as many calls as take about the time of a round, according to the rate of a first run. run
// makes the given numbers of calls on each connection, first to warm up.
func (b *benchmark) paced(ctx context.Context, name string, connections int,
	run func(ctx context.Context, warm, each int) (sample, error),
) (*side, error) {
	first, err := run(ctx, 0, firstWrites)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	each := func(time time.Duration) int { return max(1, int(first.perSecond*time.Seconds())/connections) }
	return &side{name: name, rows: 1, atOnce: connections, run: func(ctx context.Context) (sample, error) {
		return run(ctx, each(b.Warm), each(b.Time))
	}}, nil
}

func (w *world) process(ctx context.Context, kind write, warm, count int) (sample, error) {
	requests, err := kind.prepare(ctx, w, kind.sellers, warm+count)
	if err != nil {
		return sample{}, err
	}
	before, behind := make([][][]byte, len(requests)), make([][][]byte, len(requests))
	for i, list := range requests {
		before[i], behind[i] = list[:warm], list[warm:]
	}
	if warm > 0 {
		if _, err := closedLoop(ctx, w.env.GatewayURL, len(before), manyAtOnce, each(before)); err != nil {
			return sample{}, err
		}
	}
	return w.meter.measured(func() ([]time.Duration, error) {
		return closedLoop(ctx, w.env.GatewayURL, len(behind), manyAtOnce, each(behind))
	})
}

func shipments(ctx context.Context, w *world, sellers []*seller, count int) ([][][]byte, error) {
	placed, err := w.place(ctx, sellers, count)
	if err != nil {
		return nil, err
	}
	requests := make([][][]byte, len(sellers))
	for i, orders := range placed {
		for _, o := range orders {
			requests[i] = append(requests[i], o.shipment(sellers[i].key))
		}
	}
	return requests, nil
}

func (b *benchmark) leastShipped(ctx context.Context, least *leastTables, clients, count int) (sample, error) {
	first, err := least.place(ctx, clients, count)
	if err != nil {
		return sample{}, err
	}
	return b.pgbench(ctx, pgbench{
		database: least.database, script: least.shipping(first, count), clients: clients, transactions: count,
	})
}
