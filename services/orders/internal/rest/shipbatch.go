package rest

import (
	"context"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/orders/internal/store"
)

// longestOrderNo bounds what an entry may call its order: a refusal names it and is kept. No order has a number as long.
const longestOrderNo = 200

// entriesMost is how many entries a batch may have.
var entriesMost = operation.Named(operation.ShipOrders).MaxEntries

// batch is what a batch shipment call says.
type batch struct {
	seller  uuid.UUID
	entries []batchEntry
	lang    apierr.Lang
	// instant is what the changes of all entries share.
	instant *store.Instant
}

// batchEntry is one parcel of one order.
type batchEntry struct {
	orderNo string
	itemIDs []string
	sent    sentParcel
}

// readBatch reads the shape of a batch. A wrong shape anywhere refuses all of it; wrong values are the entry's own matter.
func readBatch(c *gin.Context) (batch, error) {
	body := web.ReadBody(c)
	call := batch{seller: web.Caller(c).SellerID, lang: web.Language(c), instant: &store.Instant{}}
	for _, object := range body.Objects("items", 1, entriesMost) {
		call.entries = append(call.entries, batchEntry{
			orderNo: object.String("order_no", invalid.Text{NotEmpty: true, Max: longestOrderNo}),
			itemIDs: readItemIDs(object),
			sent:    readParcel(object),
		})
	}
	return call, body.Err()
}

// shipBatch performs POST /open/v1/orders/batch/shipment. Entries of different orders run side by side, those of one order
// one after the other. Each has a transaction of its own, so that nothing that befalls one touches another; what was done
// when the process dies is found done when the call is repeated.
func (a *API) shipBatch(ctx context.Context, call batch) (any, error) {
	outcomes := make([]entryOutcome, len(call.entries))
	var running sync.WaitGroup
	for _, positions := range call.byOrder() {
		if !a.batchSlots.take(ctx) {
			break
		}
		running.Go(func() {
			defer a.batchSlots.give()
			for _, i := range positions {
				outcomes[i] = a.shipEntry(ctx, &call, i)
			}
		})
	}
	running.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err // nobody waits for the answer, and what is left was not tried
	}
	return newBatchView(call, outcomes), nil
}

// byOrder groups the positions of the entries by order, in the order of the call.
func (b *batch) byOrder() [][]int {
	groups := make([][]int, 0, len(b.entries))
	known := make(map[string]int, len(b.entries))
	for i := range b.entries {
		no := b.entries[i].orderNo
		at, seen := known[no]
		if !seen {
			at = len(groups)
			known[no] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], i)
	}
	return groups
}

// entryOutcome is what came of an entry.
type entryOutcome struct {
	done   store.Processed
	parcel carrier.Shipment
	err    error
}

// shipEntry ships one entry. Whatever goes wrong is the entry's failure, a panic included; what nobody expected is logged
// here, because the answer is a success.
func (a *API) shipEntry(ctx context.Context, call *batch, position int) (outcome entryOutcome) {
	entry := &call.entries[position]
	defer func() {
		if problem := recover(); problem != nil {
			outcome.err = apierr.Internal.Because(fmt.Errorf("panic: %v\n%s", problem, debug.Stack()))
		}
		if outcome.err != nil && !apierr.From(outcome.err).Code.Batch() {
			a.Logger.ErrorContext(ctx, "batch entry failed", "order_no", entry.orderNo, "error", outcome.err)
		}
	}()
	parcel, err := entry.sent.parse()
	if err != nil {
		return entryOutcome{err: err}
	}
	if !web.IsIdentifier(entry.orderNo) {
		return entryOutcome{err: apierr.OrderNotFound}
	}
	process := store.Process{SellerID: call.seller, OrderNo: entry.orderNo, ItemIDs: entry.itemIDs}
	done, err := a.Orders.ShipAlone(ctx, call.instant, process, parcel)
	return entryOutcome{done: done, parcel: parcel, err: err}
}

// slots bound how many batch entries an instance works on at once, over all batches, so that batches leave connections to
// the other calls.
type slots chan struct{}

// take waits for a slot; false when the context ends first.
func (s slots) take(ctx context.Context) bool {
	select {
	case s <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// give returns a slot.
func (s slots) give() { <-s }

// batchView is the batch shipment result of the interface.
type batchView struct {
	Succeeded []uuid.UUID      `json:"succeeded"`
	Failed    []failedView     `json:"failed"`
	Summary   batchSummaryView `json:"summary"`
	// Warnings is an addition to the interface, absent when there are none.
	Warnings []warningView `json:"warnings,omitempty"`
}

// failedView is an entry that failed.
type failedView struct {
	OrderNo string `json:"order_no"`
	// OrderItemPublicIDs are as sent; empty when the order was not found.
	OrderItemPublicIDs []string `json:"order_item_public_ids"`
	ErrorCode          string   `json:"error_code"`
	Message            string   `json:"message"`
}

// batchSummaryView counts the items of succeeded and those of failed, also of orders that were not found. An item that several
// entries name counts once in each.
type batchSummaryView struct {
	Succeeded int `json:"succeeded"`
	Failed    int `json:"failed"`
}

// newBatchView puts the outcomes together, in the order of the call. An item is listed as succeeded once, however many entries
// name it.
func newBatchView(call batch, outcomes []entryOutcome) batchView {
	view := batchView{Succeeded: []uuid.UUID{}, Failed: []failedView{}}
	succeeded, failed := map[uuid.UUID]bool{}, map[failedItem]bool{}
	for i := range outcomes {
		entry, outcome := &call.entries[i], &outcomes[i]
		if outcome.err != nil {
			view.Failed = append(view.Failed, newFailedView(entry, outcome.err, call.lang))
			for _, id := range entry.itemIDs {
				failed[failedItem{orderNo: entry.orderNo, id: strings.ToLower(id)}] = true
			}
			continue
		}
		for k := range outcome.done.Items {
			if id := outcome.done.Items[k].Item.ID; !succeeded[id] {
				succeeded[id] = true
				view.Succeeded = append(view.Succeeded, id)
			}
		}
		view.Warnings = appendWarning(view.Warnings, "items["+strconv.Itoa(i)+"].tracking_no", outcome.parcel, call.lang)
	}
	view.Summary = batchSummaryView{Succeeded: len(succeeded), Failed: len(failed)}
	return view
}

// failedItem is an item of an entry that failed, by what the call names it. Letter case makes no difference in ids.
type failedItem struct{ orderNo, id string }

// newFailedView returns the view of a failed entry.
func newFailedView(entry *batchEntry, err error, lang apierr.Lang) failedView {
	code := apierr.From(err).Code.InBatch()
	view := failedView{OrderNo: entry.orderNo, OrderItemPublicIDs: entry.itemIDs, ErrorCode: string(code), Message: code.Message(lang)}
	if code == apierr.OrderNotFound {
		view.OrderItemPublicIDs = []string{}
	}
	return view
}
