package load

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"time"
)

// OrderPrefix begins the numbers of all orders that the load places, so that the database can be queried for these orders only.
const OrderPrefix = "LOAD-"

const (
	batch      = 50
	placePause = time.Second
)

type order struct {
	key      Key
	no, item string
}

// Intake places orders for the sellers of the keys through the RPC of the orders service.
type Intake RPC

// place places a batch of orders for the sellers of keys, one for each key in turn, starting with the nth.
func (i Intake) place(ctx context.Context, client *http.Client, keys []Key, n int) ([]order, error) {
	made, placements := make([]order, batch), make([]any, batch)
	paid := time.Now().Add(-time.Minute).UTC().Format(time.RFC3339)
	for j := range made {
		made[j] = order{key: keys[(n+j)%len(keys)], no: OrderPrefix + rand.Text()}
		placements[j] = placement(made[j], paid)
	}
	var answer struct{ Results []struct{ ItemIDs []string } }
	if err := RPC(i).call(ctx, client, "orders.v1.Intake/PlaceOrders", map[string]any{"orders": placements}, &answer); err != nil {
		return nil, err
	}
	for j, result := range answer.Results {
		made[j].item = result.ItemIDs[0]
	}
	return made, nil
}

func placement(o order, paid string) map[string]any {
	line := map[string]any{"productId": "P-1", "productName": "순면 티셔츠", "quantity": 2, "listPrice": 15900, "unitPrice": 12900}
	part := map[string]any{"sellerId": o.key.Seller, "shippingFeeBase": 3000, "shippingFeePaid": 3000, "lines": []any{line}}
	return map[string]any{"orderNo": o.no, "memberId": "member-" + o.no, "currency": "KRW", "paidAt": paid, "sellers": []any{part}}
}

// stock places orders and sends them to the channel until ctx is done. While the intake is unavailable it retries.
func (i Intake) stock(ctx context.Context, keys []Key, into chan<- order) {
	client := newHTTPClient(i.Dial)
	defer client.CloseIdleConnections()
	for n := 0; ctx.Err() == nil; {
		made, err := i.place(ctx, client, keys, n)
		if err != nil {
			slog.WarnContext(ctx, "no orders were placed", "error", err)
			pause(ctx, placePause)
			continue
		}
		n += len(made)
		for _, o := range made {
			select {
			case into <- o:
			case <-ctx.Done():
				return
			}
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
