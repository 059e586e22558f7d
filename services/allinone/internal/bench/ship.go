package bench

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// shipmentsOfOne is how many shipments one connection makes each time that a side is measured. It is a count
// and not a time, so that both sides find the same orders.
const shipmentsOfOne = 200

// measureShipments measures single shipments on the largest marketplace: through the gateway, and by pgbench,
// which runs the service's own transaction on orders of the same kind.
func (b *benchmark) measureShipments(ctx context.Context) ([]result, error) {
	w := b.worlds[len(b.worlds)-1]
	if err := w.restock(ctx, captureAttempts+2*b.Rounds*shipmentsOfOne*(1+b.Concurrency)); err != nil {
		return nil, err
	}
	transaction, err := b.captureShipment(ctx, w)
	if err != nil {
		return nil, err
	}
	var results []result
	for _, connections := range []int{1, b.Concurrency} {
		b.say("measuring: shipments, %d at once", connections)
		one := result{name: "shipment", orders: w.orders, atOnce: connections, rows: 1}
		for range b.Rounds {
			if err := b.measureShipment(ctx, w, transaction, &one); err != nil {
				return nil, err
			}
		}
		results = append(results, one)
	}
	return results, w.requireShipped(ctx)
}

// measureShipment takes both sides once.
func (b *benchmark) measureShipment(ctx context.Context, w *world, transaction script, one *result) error {
	through, err := b.send(ctx, w, w.shipments(w.take(shipmentsOfOne*one.atOnce)), one.atOnce)
	if err != nil {
		return err
	}
	orders := w.take(shipmentsOfOne * one.atOnce)
	counted := script{text: transaction.text, defines: append([]string{
		"first=" + orders[0].no, fmt.Sprintf("clients=%d", one.atOnce),
	}, transaction.defines...)}
	alone, err := b.pgbench(ctx, w, counted, one.atOnce, forTransactions(shipmentsOfOne))
	if err != nil {
		return err
	}
	one.add(through, alone)
	return nil
}

// requireShipped fails unless all orders that were taken from the stock are on their way. A side that did not
// do its work would be fast.
func (w *world) requireShipped(ctx context.Context) error {
	left := 0
	err := query(ctx, w.databaseURL, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, `select count(*) from orders.orders o join orders.lines l using (seller_id, order_id)
			where o.order_no like '1000000%' and length(o.order_no) = 16 and l.item_status <> 'shipping'`).Scan(&left)
	})
	if err == nil && left != len(w.stock) {
		err = fmt.Errorf("%d orders were not shipped that should have been", left-len(w.stock))
	}
	return err
}

// parcel is what a shipment says of its parcel.
const parcel = `"carrier_name":"CJ대한통운","tracking_no":"690000000011"`

// shipments are the requests that ship the orders one by one.
func (w *world) shipments(orders []shippable) [][]byte {
	requests := make([][]byte, len(orders))
	for i, o := range orders {
		requests[i] = w.post("/open/v1/orders/"+o.no+"/shipment", fmt.Sprintf(`{"item_ids":[%q],%s}`, o.itemID, parcel))
	}
	return requests
}

// batch is the request that ships the orders at once.
func (w *world) batch(orders []shippable) []byte {
	entries := make([]string, len(orders))
	for i, o := range orders {
		entries[i] = fmt.Sprintf(`{"order_no":%q,"item_ids":[%q],%s}`, o.no, o.itemID, parcel)
	}
	return w.post("/open/v1/orders/batch/shipment", `{"items":[`+strings.Join(entries, ",")+`]}`)
}

// post is a process call as it goes over the wire. All are made with one key, as an ERP does.
func (w *world) post(path, body string) []byte {
	return fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: bench\r\nX-Api-Key: %s\r\nIdempotency-Key: %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, w.keys[0], uuid.NewString(), len(body), body)
}
