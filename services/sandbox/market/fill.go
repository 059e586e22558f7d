package market

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
)

// batchTimeout is how long one batch may take; the service allows no call more.
const batchTimeout = 30 * time.Second

// FillOptions say how a marketplace is sent to the orders service. The zero value is a good choice.
type FillOptions struct {
	// Batch is how many orders one call places; 0 means 1,000, and the service accepts at most
	// 5,000.
	Batch int
	// Connections is how many calls are in flight at once; 0 means 4.
	Connections int
	// Progress receives the progress of a fill once it takes longer than a second: a bar that
	// is rewritten in place on a terminal, a line every few seconds elsewhere. nil means no
	// reports.
	Progress io.Writer
}

// FillReport is the result of a fill.
type FillReport struct {
	// Placed counts the orders that were new, AlreadyThere those that existed with the same
	// content, and Conflicts those that existed with other content and were not changed.
	Placed, AlreadyThere, Conflicts int64
	// Lines is the number of lines of all orders sent.
	Lines int64
	// Took is the time from the first to the last call.
	Took time.Duration
}

// PerSecond returns the number of orders sent per second.
func (r FillReport) PerSecond() float64 {
	return float64(r.Placed+r.AlreadyThere+r.Conflicts) / max(r.Took.Seconds(), 1e-9)
}

// Fill sends all orders of the plan. It stops at the first call that fails; filling again with
// the same plan completes the fill, because existing orders are left as they are.
func (m *Market) Fill(ctx context.Context, client ordersv1connect.IntakeClient, options FillOptions) (FillReport, error) {
	size, connections := orElse(options.Batch, 1000), orElse(options.Connections, 4)
	f := &filling{market: m, client: client}
	began := time.Now()
	stop := showProgress(options.Progress, m.plan.Orders, &f.done)
	defer stop()
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range connections {
		group.Go(func() error {
			for {
				first := int(next.Add(int64(size))) - size
				if first >= m.plan.Orders {
					return nil
				}
				if err := f.send(ctx, m.batch(first, min(size, m.plan.Orders-first))); err != nil {
					return fmt.Errorf("fill orders from number %d on: %w", first, err)
				}
			}
		})
	}
	err := group.Wait()
	return f.report(time.Since(began)), err
}

type filling struct {
	market *Market
	client ordersv1connect.IntakeClient

	outcomes [4]atomic.Int64
	lines    atomic.Int64
	done     atomic.Int64
}

func (f *filling) send(ctx context.Context, batch []Placement) error {
	request := &ordersv1.PlaceOrdersRequest{Orders: make([]*ordersv1.Order, len(batch))}
	for i, placed := range batch {
		request.Orders[i] = placed.Order
		for _, part := range placed.Order.GetSellers() {
			f.lines.Add(int64(len(part.GetLines())))
		}
	}
	answer, err := f.place(ctx, request)
	if err != nil {
		return err
	}
	for i, result := range answer.GetResults() {
		if err := f.settle(ctx, batch[i], result.GetOutcome()); err != nil {
			return err
		}
	}
	f.done.Add(int64(len(batch)))
	return nil
}

func (f *filling) place(ctx context.Context, request *ordersv1.PlaceOrdersRequest) (*ordersv1.PlaceOrdersResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, batchTimeout)
	defer cancel()
	return f.client.PlaceOrders(ctx, request)
}

func (f *filling) settle(ctx context.Context, placed Placement, outcome ordersv1.PlaceOutcome) error {
	f.outcomes[outcome].Add(1)
	if placed.Payment == ordersv1.PaymentOutcome_PAYMENT_OUTCOME_UNSPECIFIED ||
		outcome == ordersv1.PlaceOutcome_PLACE_OUTCOME_CONFLICT {
		return nil
	}
	_, err := f.client.RecordPayment(ctx, &ordersv1.RecordPaymentRequest{
		OrderNo: placed.Order.GetOrderNo(), Outcome: placed.Payment,
	})
	return err
}

func (f *filling) report(took time.Duration) FillReport {
	return FillReport{
		Placed:       f.outcomes[ordersv1.PlaceOutcome_PLACE_OUTCOME_PLACED].Load(),
		AlreadyThere: f.outcomes[ordersv1.PlaceOutcome_PLACE_OUTCOME_ALREADY_PLACED].Load(),
		Conflicts:    f.outcomes[ordersv1.PlaceOutcome_PLACE_OUTCOME_CONFLICT].Load(),
		Lines:        f.lines.Load(),
		Took:         took,
	}
}

func orElse(given, otherwise int) int {
	if given > 0 {
		return given
	}
	return otherwise
}
