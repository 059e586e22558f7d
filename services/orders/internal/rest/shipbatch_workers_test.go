package rest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/principal/principaltest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/rest"
)

func batchOver(t *testing.T, ship func(ctx context.Context,
	call order.ProcessCommand) (order.ProcessResult, error), workers int,
) (*fixture, *bytes.Buffer) {
	t.Helper()
	s := setup(t)
	var logged bytes.Buffer
	api := rest.API{
		Orders: fakeOrders{ship: ship}, Box: inbox.New(s.db.AsService(t), inbox.Config{}),
		Logger: slog.New(slog.NewTextHandler(&logged, nil)), BatchWorkers: workers,
	}
	s.engine = web.NewEngine(web.Options{Service: "orders", Telemetry: telemetrytest.Discard(t)})
	require.NoError(t, web.RegisterOperations(s.engine, principaltest.Verifier(t, trust.Orders),
		operation.Of(operation.Orders), api.Handlers()))
	return s, &logged
}

type fakeOrders struct {
	rest.Orders
	ship func(ctx context.Context, call order.ProcessCommand) (order.ProcessResult, error)
}

func (f fakeOrders) ShipAlone(ctx context.Context, call order.ProcessCommand, _ carrier.Shipment) (order.ProcessResult, error) {
	return f.ship(ctx, call)
}

// ShipTogether fails as a whole when one shipment fails with an error that is not a refusal.
func (f fakeOrders) ShipTogether(ctx context.Context, _ uuid.UUID, shipments []order.ShipCommand) ([]order.ShipResult, error) {
	outcomes := make([]order.ShipResult, len(shipments))
	for i := range shipments {
		done, err := f.ship(ctx, shipments[i].ProcessCommand)
		if err != nil && !apierr.From(err).Code.Batch() {
			return nil, err
		}
		outcomes[i] = order.ShipResult{Done: done, Err: err}
	}
	return outcomes, nil
}

func shippedOne() order.ProcessResult {
	return order.ProcessResult{Items: []order.ProcessedItem{{Item: order.LockedItem{Item: order.Item{ID: uuid.New()}}}}}
}

func TestShipBatch_unexpectedErrorFailsItsEntry(t *testing.T) {
	t.Parallel()
	s, logged := batchOver(t, func(_ context.Context, call order.ProcessCommand) (order.ProcessResult, error) {
		switch call.OrderNo {
		case "PANIC":
			panic("canary-1")
		case "DATABASE":
			return order.ProcessResult{}, apierr.Unavailable.Because(errors.New("canary-2"))
		case "UNKNOWN":
			return order.ProcessResult{}, apierr.OrderNotFound
		}
		return shippedOne(), nil
	}, 2)
	a := s.post(batchPath, batchOf(entry("G-1", itemIDs(1), goodParcel), entry("PANIC", itemIDs(2), goodParcel),
		entry("DATABASE", itemIDs(3), goodParcel), entry("UNKNOWN", itemIDs(4), goodParcel), entry("G-2", itemIDs(5), goodParcel)))
	result := a.shipped(t)
	require.Len(t, result.Succeeded, 2)
	require.Equal(t, map[string]string{
		"PANIC": "ORDER_BATCH_ERROR", "DATABASE": "ORDER_BATCH_ERROR",
		"UNKNOWN": "ORDER_NOT_FOUND",
	}, result.codes())
	require.Equal(t, []string{item(2).String()}, result.Failed[0].OrderItemPublicIDs)
	require.NotContains(t, a.body, "canary")
	require.Contains(t, logged.String(), "canary-1")
	require.Contains(t, logged.String(), "canary-2")
	require.NotContains(t, logged.String(), "UNKNOWN", "a refusal for the client is not logged")
	require.Contains(t, logged.String(), "order_nos=G-1,PANIC,DATABASE,G-2", "the life of an order can be read")
}

// A group that fails as a whole is processed entry by entry, and that is logged, so that an operator can find out why batches are
// slow.
func TestShipBatch_groupDoneOneByOneIsLogged(t *testing.T) {
	t.Parallel()
	var failed atomic.Bool
	s, logged := batchOver(t, func(context.Context, order.ProcessCommand) (order.ProcessResult, error) {
		if failed.CompareAndSwap(false, true) {
			return order.ProcessResult{}, apierr.Unavailable.Because(errors.New("canary"))
		}
		return shippedOne(), nil
	}, 1)
	result := s.post(batchPath, batchOf(entry("G-1", itemIDs(1), goodParcel), entry("G-2", itemIDs(2), goodParcel))).shipped(t)
	require.Len(t, result.Succeeded, 2)
	require.Contains(t, logged.String(), "processed individually")
	require.Contains(t, logged.String(), "canary")
}

// Entries of one order wait for each other, groups of different orders do not, and no more of them run than there are workers.
func TestShipBatch_ordersParallelEntriesInTurn(t *testing.T) {
	t.Parallel()
	const workers = 3
	var mu sync.Mutex
	together := make(chan struct{})
	running, most, arrived := map[string]int{}, 0, 0
	s, _ := batchOver(t, func(ctx context.Context, call order.ProcessCommand) (order.ProcessResult, error) {
		mu.Lock()
		running[call.OrderNo]++
		overlapping := running[call.OrderNo] > 1
		all := 0
		for _, n := range running {
			all += n
		}
		most = max(most, all)
		if arrived++; arrived == workers {
			close(together)
		}
		mu.Unlock()
		select {
		case <-together: // the first ones only continue when all have arrived
		case <-ctx.Done():
		}
		mu.Lock()
		running[call.OrderNo]--
		mu.Unlock()
		if overlapping {
			return order.ProcessResult{}, apierr.Internal
		}
		return shippedOne(), nil
	}, workers)
	entries := make([]string, 0, 400)
	for i := range 400 {
		entries = append(entries, entry(fmt.Sprintf("G-%d", i%200), itemIDs(i+1), goodParcel))
	}
	result := s.post(batchPath, batchOf(entries...)).shipped(t)
	require.Empty(t, result.Failed)
	require.Equal(t, workers, most)
}

// A client that has disconnected gets no response, and none is stored: its repetition reports what was done as done.
func TestShipBatch_brokenOffIsNotKept(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	s, _ := batchOver(t, func(context.Context, order.ProcessCommand) (order.ProcessResult, error) {
		leave()
		return shippedOne(), nil
	}, 1)
	k := newKey()
	content := batchOf(entry("G-1", itemIDs(1), goodParcel), entry("G-2", itemIDs(2), goodParcel))
	s.send(s.request(batchPath, content, k, principal.All()...).WithContext(ctx))
	require.Len(t, s.postWith(batchPath, content, k).shipped(t).Succeeded, 2)
}
