package mirror

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	sellerapi "sellerapi.dev/proto/clients/go"
)

// Outcome is the outcome of an item.
type Outcome struct {
	OrderNo, ItemID string
	// What is "shipped", "refused", or "left" if it was not sent.
	What string
	// Why is the code and text of a refusal, or the reason why the item was not sent: its status, or that it is not in
	// the mirror.
	Why string
}

// Ship ships the items of these rows that are paid according to the mirror. Before that it resends the batches that an
// earlier run left without a response, with the same keys. Bring the mirror up to date first.
func (m *Mirror) Ship(ctx context.Context, rows []Row) ([]Outcome, error) {
	outcomes, err := m.flush(ctx)
	if err != nil {
		return outcomes, err
	}
	var paid []Row
	left := outcomes
	for _, row := range rows {
		if slices.ContainsFunc(left, func(o Outcome) bool { return o.ItemID == row.ItemID }) {
			continue // it was in a batch that an earlier run left
		}
		status, err := m.status(ctx, row)
		switch {
		case err != nil:
			return outcomes, err
		case status == string(sellerapi.ItemPaid):
			paid = append(paid, row)
		default:
			outcomes = append(outcomes, Outcome{row.OrderNo, row.ItemID, "left", status})
		}
	}
	for _, batch := range batches(paid) {
		if err := m.write(ctx, batch); err != nil {
			return outcomes, err
		}
	}
	sent, err := m.flush(ctx)
	return append(outcomes, sent...), err
}

// status returns the status of an item in the mirror.
func (m *Mirror) status(ctx context.Context, row Row) (string, error) {
	var status string
	err := m.db.QueryRowContext(ctx, "select item_status from order_items where item_id = ? and order_no = ?",
		row.ItemID, row.OrderNo).Scan(&status)
	if errors.Is(err, sql.ErrNoRows) {
		return "not in the mirror", nil
	}
	return status, err
}

// write stores a batch in the outbox with its key, before it is sent for the first time.
func (m *Mirror) write(ctx context.Context, batch sellerapi.BatchShipmentRequest) error {
	text, err := json.Marshal(batch)
	if err != nil {
		return err
	}
	_, err = m.db.ExecContext(ctx, "insert into outbox (idempotency_key, request) values (?, ?)", rand.Text(), string(text))
	return err
}

// flush sends the batches of the outbox. A batch is removed when it has a final response; if its outcome is unknown it
// remains there for the next run.
func (m *Mirror) flush(ctx context.Context) ([]Outcome, error) {
	var outcomes []Outcome
	for {
		var key, text string
		err := m.db.QueryRowContext(ctx, "select idempotency_key, request from outbox order by rowid limit 1").Scan(&key, &text)
		if errors.Is(err, sql.ErrNoRows) {
			return outcomes, nil
		}
		if err != nil {
			return outcomes, err
		}
		var batch sellerapi.BatchShipmentRequest
		if err := json.Unmarshal([]byte(text), &batch); err != nil {
			return outcomes, err
		}
		result, err := m.client.ShipOrders(ctx, batch, sellerapi.Key(key), sellerapi.RecoverExpired())
		if err != nil && !final(err) {
			return outcomes, err
		}
		if _, forgotten := m.db.ExecContext(ctx, "delete from outbox where idempotency_key = ?", key); forgotten != nil || err != nil {
			return outcomes, errors.Join(err, forgotten)
		}
		outcomes = append(outcomes, told(batch, result)...)
	}
}

// final reports whether a failed batch must not be resent unchanged: the server has refused it.
func final(err error) bool {
	var refused *sellerapi.Error
	return errors.As(err, &refused) && !sellerapi.Temporary(err) && refused.Status != 401 && refused.Status != 403
}

// told returns the outcome of every item of a batch. The same item may be in several entries, so a failure applies only to the entry
// that it refers to.
func told(batch sellerapi.BatchShipmentRequest, result sellerapi.BatchShipmentResult) []Outcome {
	refused := map[int]sellerapi.FailedEntry{}
	for _, failure := range result.Failed {
		refused[int(failure.Index)] = failure
	}
	var all []Outcome
	for i, entry := range batch.Items {
		failure, failed := refused[i]
		for _, id := range entry.ItemIDs {
			one := Outcome{OrderNo: entry.OrderNo, ItemID: id, What: "shipped"}
			switch {
			case failed:
				one.What, one.Why = "refused", fmt.Sprintf("%s: %s", failure.ErrorCode, failure.Message)
			case !slices.Contains(result.Succeeded, id):
				one.What, one.Why = "refused", "not in the answer"
			}
			all = append(all, one)
		}
	}
	return all
}
