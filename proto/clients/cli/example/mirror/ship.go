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
	// What is "shipped", "refused", or "left" if it was shipped in this parcel before.
	What string
	// Why is the reason of a refusal, the status of an item that was left, or the server's doubts about the number of an item
	// that was shipped.
	Why string
}

// Ship ships the items of these rows that are open according to the mirror. Before that it resends the batches that an
// earlier run left without a response, with the same keys. Bring the mirror up to date first.
func (m *Mirror) Ship(ctx context.Context, rows []Row) ([]Outcome, error) {
	outcomes, err := m.flush(ctx)
	if err != nil {
		return outcomes, err
	}
	var open []Row
	left := outcomes
	for _, row := range rows {
		if slices.ContainsFunc(left, func(o Outcome) bool { return o.ItemID == row.ItemID }) {
			continue // it was in a batch that an earlier run left
		}
		what, why, err := m.decide(ctx, row)
		switch {
		case err != nil:
			return outcomes, err
		case what == "send":
			open = append(open, row)
		default:
			outcomes = append(outcomes, Outcome{row.OrderNo, row.ItemID, what, why})
		}
	}
	for _, batch := range batches(open) {
		if err := m.write(ctx, batch); err != nil {
			return outcomes, err
		}
	}
	sent, err := m.flush(ctx)
	return append(outcomes, sent...), err
}

// decide returns what becomes of a row according to the mirror, "send", "left" or "refused", and why.
func (m *Mirror) decide(ctx context.Context, row Row) (what, why string, err error) {
	if row.Wrong != "" {
		return "refused", row.Wrong, nil
	}
	var status sellerapi.ItemStatus
	var exchange, same bool
	err = m.db.QueryRowContext(ctx, `select item_status, is_exchange, carrier_name is ? and tracking_no is ?
		from order_items where item_id = ? and order_no = ?`, string(row.Carrier), row.TrackingNo, row.ItemID, row.OrderNo).
		Scan(&status, &exchange, &same)
	open := status == sellerapi.ItemPaid || status == sellerapi.ItemPreparing
	under := status == sellerapi.ItemShipping || status == sellerapi.ItemDelivered || status == sellerapi.ItemConfirmed
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return "refused", "not in the mirror", nil
	case err != nil:
		return "", "", err
	case open && exchange:
		return "refused", "the replacement of an exchange goes out with reship of its claim", nil
	case open:
		return "send", "", nil
	case under && same:
		return "left", string(status), nil
	case under:
		return "refused", string(status) + " in another parcel", nil
	default:
		return "refused", string(status), nil
	}
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
		if _, err := m.db.ExecContext(ctx, "delete from outbox where idempotency_key = ?", key); err != nil {
			return outcomes, err
		}
		outcomes = append(outcomes, told(batch, result, err)...)
	}
}

// final reports whether a failed batch must not be resent unchanged: the server has refused it, with a code, and not because of
// the API key.
func final(err error) bool {
	var refused *sellerapi.Error
	return errors.As(err, &refused) && refused.Code != "" && !sellerapi.Temporary(err) &&
		refused.Status != 401 && refused.Status != 403
}

// told returns the outcome of every item of a batch, of which refused is the refusal as a whole. The same item may be in several
// entries, so a failure applies only to the entry that it refers to.
func told(batch sellerapi.BatchShipmentRequest, result sellerapi.BatchShipmentResult, refused error) []Outcome {
	failures, doubts := map[string]sellerapi.FailedEntry{}, map[string]string{}
	for _, failure := range result.Failed {
		failures[fmt.Sprintf("items[%d].tracking_no", failure.Index)] = failure
	}
	for _, warning := range result.Warnings {
		doubts[warning.Field] = warning.Code + ": " + warning.Message
	}
	var all []Outcome
	for i, entry := range batch.Items {
		field := fmt.Sprintf("items[%d].tracking_no", i)
		failure, failed := failures[field]
		for _, id := range entry.ItemIDs {
			one := Outcome{OrderNo: entry.OrderNo, ItemID: id, What: "shipped", Why: doubts[field]}
			switch {
			case refused != nil:
				one.What, one.Why = "refused", refused.Error()
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
