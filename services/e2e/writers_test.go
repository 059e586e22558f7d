package e2e

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/types/known/timestamppb"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

type writers struct {
	done   chan struct{}
	err    error
	placed [][]string
}

// startWriters starts n writers that place rounds of orders for the seller, several of them in one transaction
// and some of them paid only later.
func startWriters(t *testing.T, s *stacktest.Stack, sellerID string, n, rounds int) *writers {
	t.Helper()
	w := &writers{done: make(chan struct{}), placed: make([][]string, n)}
	var group errgroup.Group
	for writer := range n {
		group.Go(func() error {
			for round := range rounds {
				numbers, err := writeRound(t.Context(), s, sellerID, round)
				if err != nil {
					return err
				}
				w.placed[writer] = append(w.placed[writer], numbers...)
			}
			return nil
		})
	}
	go func() { w.err = group.Wait(); close(w.done) }()
	return w
}

func (w *writers) wait(t *testing.T) []string {
	t.Helper()
	<-w.done
	require.NoError(t, w.err)
	return slices.Concat(w.placed...)
}

func (w *writers) whileWriting(do func()) {
	for {
		select {
		case <-w.done:
			do()
			return
		default:
			do()
		}
	}
}

// writeRound places one to three orders at once, and every third time one that is paid afterwards.
func writeRound(ctx context.Context, s *stacktest.Stack, sellerID string, round int) ([]string, error) {
	request := &ordersv1.PlaceOrdersRequest{}
	for range 1 + round%3 {
		request.Orders = append(request.Orders, stacktest.NewOrder(sellerID))
	}
	late := round%3 == 0
	if late {
		request.Orders[0].PaidAt = nil
	}
	if _, err := s.Intake.PlaceOrders(ctx, request); err != nil {
		return nil, err
	}
	numbers := numbersOf(request.GetOrders())
	if !late {
		return numbers, nil
	}
	_, err := s.Intake.RecordPayment(ctx, &ordersv1.RecordPaymentRequest{
		OrderNo: numbers[0], Outcome: ordersv1.PaymentOutcome_PAYMENT_OUTCOME_PAID,
		PaidAt: timestamppb.New(time.Now().Add(-time.Minute)),
	})
	return numbers, err
}
