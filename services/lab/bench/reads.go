package bench

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/klauspost/compress/gzip"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/services/lab/report"
)

// plainPage is the case to which the others are compared.
const plainPage = "orders, first page"

// partReads measures all cases in turns, and compares each with the plain page and that with compressing it.
func (b *benchmark) partReads(ctx context.Context, _ *system, w *world) error {
	var sides []*side
	var plain *side
	var compressed time.Duration
	for _, c := range b.chosen() {
		one, requests, err := b.reading(ctx, w, c)
		if err != nil {
			return err
		}
		if c.name == plainPage {
			plain = one
			if compressed, err = w.compressing(ctx, requests[0]); err != nil {
				return err
			}
		}
		sides = append(sides, one)
	}
	if err := b.turns(ctx, sides); err != nil {
		return err
	}
	if err := b.printReads(sides, plain); err != nil || plain == nil {
		return err
	}
	b.report.Yardstick("compressing a page of orders", micros(compressed), "µs CPU")
	b.report.Yardstick("the plain page, PostgreSQL", plain.median(postgresCPU), "µs CPU")
	b.report.Yardstick("the plain page, services", plain.median(servicesCPU), "µs CPU")
	b.report.Add(report.Bar{Name: "page, services' CPU of compressing it", Unit: "x", AtMost: 5}.
		Compare(plain.median(servicesCPU) / micros(compressed)))
	for n, c := range b.chosen() {
		if c.polled {
			b.report.Add(
				report.Bar{Name: c.name + ", PostgreSQL CPU of the plain page", Unit: "x", AtMost: 1.3}.
					Compare(sides[n].ratio(postgresCPU, plain, postgresCPU)),
				report.Bar{Name: c.name + ", throughput of the plain page", Unit: "x", AtLeast: 0.85}.
					Compare(sides[n].ratio(perSecond, plain, perSecond)))
		}
	}
	return nil
}

func (b *benchmark) printReads(sides []*side, plain *side) error {
	rows := make([][]string, len(sides))
	for i, one := range sides {
		rows[i] = one.cells()
		if plain != nil {
			rows[i] = append(rows[i], times(one.ratio(perSecond, plain, perSecond)), times(one.ratio(p50, plain, p50)),
				times(one.ratio(postgresCPU, plain, postgresCPU)), times(one.ratio(servicesCPU, plain, servicesCPU)))
		}
	}
	return b.report.Table("reads, compared with the plain page", append(cellNames[:len(cellNames):len(cellNames)],
		"requests/s", "p50", "PostgreSQL", "services"), rows)
}

var (
	postgresCPU = cpu("postgres")
	servicesCPU = cpu(services...)
)

// reading returns the side of a case, and its requests.
func (b *benchmark) reading(ctx context.Context, w *world, c benchCase) (*side, []request, error) {
	requests, err := b.requests(ctx, w, c, b.Variants)
	if err != nil {
		return nil, nil, err
	}
	stream := from(wired(requests))
	return &side{name: c.name, rows: requests[0].rows, atOnce: b.Concurrency, run: func(ctx context.Context) (sample, error) {
		return b.loop(ctx, w.meter, w.env.GatewayURL, stream)
	}}, requests, nil
}

// compressions is how often a response is compressed, because the scheduler's accounting lags by a few milliseconds.
const compressions = 2000

// compressing returns the CPU time of compressing the response to a request as the gateway does, measured when nothing else runs
// in this process.
func (w *world) compressing(ctx context.Context, r request) (time.Duration, error) {
	response, err := w.call(ctx, r.seller, r.target)
	if err != nil {
		return 0, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body) // decompressed by the client
	if err != nil {
		return 0, err
	}
	writer, err := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)
	if err != nil {
		return 0, err
	}
	before, err := launch.CPU(os.Getpid())
	if err != nil {
		return 0, err
	}
	for range compressions {
		writer.Reset(io.Discard)
		if _, err := writer.Write(text); err != nil {
			return 0, err
		}
		if err := writer.Close(); err != nil {
			return 0, err
		}
	}
	after, err := launch.CPU(os.Getpid())
	return (after - before) / compressions, err
}
