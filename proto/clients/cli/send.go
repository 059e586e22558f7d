package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	sellerapi "sellerapi.dev/proto/clients/go"
)

const (
	parcelsPerBatch = 500
	itemsPerParcel  = 200
)

type sending struct {
	entry sellerapi.BatchShipmentEntry
	rows  []*shipment
}

// send registers the parcels that are ready, after the file of results says that their outcome is unknown.
func send(ctx context.Context, world *World, client *sellerapi.Client, all []shipment, result resultFile) error {
	planned := expected(all)
	for i := range all {
		if all[i].result == "ready" {
			all[i].result = "unsent"
		}
	}
	if err := result.write(planned); err != nil {
		return err
	}
	parcels := sendings(all)
	bar := world.bar(len(parcels), "shipping")
	defer func() { _ = bar.Finish() }()
	for batch := range slices.Chunk(parcels, parcelsPerBatch) {
		if err := sendBatch(ctx, client.ShipOrders, batch); err != nil {
			return err
		}
		_ = bar.Add(len(batch))
	}
	return nil
}

// check asks the server what would become of the parcels that are ready. Where it cannot tell, they stay ready.
func check(ctx context.Context, client *sellerapi.Client, all []shipment) error {
	before := slices.Clone(all)
	for batch := range slices.Chunk(sendings(all), parcelsPerBatch) {
		if err := sendBatch(ctx, client.CheckShipments, batch); err != nil {
			copy(all, before)
			if lacksOperation(err) {
				return nil
			}
			return err
		}
	}
	for i := range all {
		if all[i].result == "shipped" {
			all[i].result = "ready"
		}
	}
	return nil
}

// lacksOperation reports whether the installation is too old for the operation.
func lacksOperation(err error) bool {
	var refused *sellerapi.Error
	return errors.As(err, &refused) && refused.Status == http.StatusNotFound && refused.Code == ""
}

// shipFunc is a batch shipment, or its check.
type shipFunc func(
	context.Context, sellerapi.BatchShipmentRequest, ...sellerapi.CallOption,
) (sellerapi.BatchShipmentResult, error)

// sendBatch registers the parcels of a batch. One that is refused as a whole is sent in halves, so that one bad entry costs that
// entry.
func sendBatch(ctx context.Context, ship shipFunc, batch []*sending) error {
	request := sellerapi.BatchShipmentRequest{Items: make([]sellerapi.BatchShipmentEntry, len(batch))}
	for i, one := range batch {
		request.Items[i] = one.entry
	}
	result, err := ship(ctx, request)
	var refused *sellerapi.Error
	switch {
	case err == nil:
		tell(batch, &result)
		return nil
	case !errors.As(err, &refused) || !slices.Contains(wholeRefusals, refused.Status):
		if maybeDone(err) {
			leaveOpen(batch)
		}
		return err
	case len(batch) > 1:
		half := len(batch) / 2
		if err := sendBatch(ctx, ship, batch[:half]); err != nil {
			return err
		}
		return sendBatch(ctx, ship, batch[half:])
	default:
		for _, row := range batch[0].rows {
			row.refuse(fmt.Sprintf("%s: %s", refused.Code, refused.Message))
		}
		return nil
	}
}

// wholeRefusals are the statuses with which a batch is refused because of what it contains.
var wholeRefusals = []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}

// maybeDone reports whether a batch that failed may have been processed: its last response, or that of an earlier attempt, was
// lost or leaves it open.
func maybeDone(err error) bool {
	var refused *sellerapi.Error
	if errors.As(err, &refused) {
		return refused.Attempts > 1 || refused.Status != http.StatusTooManyRequests && sellerapi.Temporary(err)
	}
	var unanswered *sellerapi.UnansweredError
	return errors.As(err, &unanswered)
}

const noAnswer = "no answer: send the file again"

func leaveOpen(batch []*sending) {
	for _, one := range batch {
		for _, row := range one.rows {
			if row.result != "refused" {
				row.result, row.why = "unknown", noAnswer
			}
		}
	}
}

// sendings combines the rows of one parcel into one entry: sheets have a row for each item. Rows that are refused are left out.
func sendings(all []shipment) []*sending {
	var parcels []*sending
	open := map[[3]string]*sending{}
	for i := range all {
		row := &all[i]
		if row.result == "refused" {
			continue
		}
		parcel := [3]string{row.orderNo, string(row.carrier), row.trackingNo}
		for _, id := range row.itemIDs {
			at := open[parcel]
			if at == nil || len(at.entry.ItemIDs) == itemsPerParcel && !slices.Contains(at.entry.ItemIDs, id) {
				at = &sending{entry: sellerapi.BatchShipmentEntry{
					OrderNo: row.orderNo, CarrierName: row.carrier, TrackingNo: row.trackingNo,
				}}
				open[parcel] = at
				parcels = append(parcels, at)
			}
			at.take(row, id)
		}
	}
	return parcels
}

// take adds an item of a row, unless it is already there.
func (s *sending) take(row *shipment, id string) {
	if !slices.Contains(s.entry.ItemIDs, id) {
		s.entry.ItemIDs = append(s.entry.ItemIDs, id)
	}
	if !slices.Contains(s.rows, row) {
		s.rows = append(s.rows, row)
		row.open++
	}
}

// tell records the outcome of the rows of a batch. The same item may be in several entries, so a failure applies only to the rows
// of the entry that it refers to. A row is shipped when every entry with its items is. What the response does not tell is
// unknown.
func tell(batch []*sending, result *sellerapi.BatchShipmentResult) {
	refused := map[int]sellerapi.FailedEntry{}
	for _, failure := range result.Failed {
		refused[int(failure.Index)] = failure
	}
	warnings := map[string]string{}
	for _, warning := range result.Warnings {
		warnings[warning.Field] = warning.Code + ": " + warning.Message
	}
	succeeded := map[string]bool{}
	for _, id := range result.Succeeded {
		succeeded[id] = true
	}
	for i, one := range batch {
		failure, failed := refused[i]
		warning := warnings[fmt.Sprintf("items[%d].tracking_no", i)]
		told := !slices.ContainsFunc(one.entry.ItemIDs, func(id string) bool { return !succeeded[id] })
		for _, row := range one.rows {
			row.open--
			switch {
			case failed:
				row.refuse(fmt.Sprintf("%s: %s", failure.ErrorCode, failure.Message))
			case row.result == "refused":
			case !told:
				row.result, row.why = "unknown", noAnswer
			case row.open == 0 && row.result != "unknown":
				row.result = "shipped"
			}
			if warning != "" && !failed && !row.warned && row.doubt == "" {
				row.remark("warning: " + warning)
				row.warned = true
			}
		}
	}
}
