package rest

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
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
	call := batch{seller: web.Caller(c).SellerID, lang: web.Language(c)}
	for _, object := range body.Objects("items", 1, entriesMost) {
		call.entries = append(call.entries, batchEntry{
			orderNo: object.String("order_no", invalid.Text{NotEmpty: true, Max: longestOrderNo}),
			itemIDs: readItemIDs(object),
			sent:    readParcel(object),
		})
	}
	return call, body.Err()
}

// groupMost is how many entries share a transaction.
const groupMost = 50

// shipBatch performs POST /open/v1/orders/batch/shipment. Entries of different orders share transactions, groupMost in each, and these
// run side by side; those of one order run one after the other. What befalls one entry touches no other: a refusal leaves nothing, and a
// group that fails is done again entry by entry. What was done when the process dies is found done when the call is repeated.
func (a *API) shipBatch(ctx context.Context, call batch) (any, error) {
	outcomes := make([]entryOutcome, len(call.entries))
	for _, round := range call.rounds() {
		var running sync.WaitGroup
		for group := range slices.Chunk(round, groupMost) {
			if !a.batchSlots.take(ctx) {
				break
			}
			running.Go(func() {
				defer a.batchSlots.give()
				a.shipGroup(ctx, &call, group, outcomes)
			})
		}
		running.Wait()
	}
	if err := ctx.Err(); err != nil {
		return nil, err // the client no longer waits; the remaining entries were not tried
	}
	return newBatchView(call, outcomes), nil
}

// rounds are the positions of the entries: the first of each order, the second of each, and so on.
func (b *batch) rounds() [][]int {
	var rounds [][]int
	seen := make(map[string]int, len(b.entries))
	for i := range b.entries {
		no := b.entries[i].orderNo
		nth := seen[no]
		seen[no]++
		if nth == len(rounds) {
			rounds = append(rounds, nil)
		}
		rounds[nth] = append(rounds[nth], i)
	}
	return rounds
}

// entryOutcome is what came of an entry.
type entryOutcome struct {
	store.ShipOutcome
	parcel carrier.Shipment
}

// shipGroup ships entries of different orders.
func (a *API) shipGroup(ctx context.Context, call *batch, positions []int, outcomes []entryOutcome) {
	shipments, sent := make([]store.Shipment, 0, len(positions)), make([]int, 0, len(positions))
	for _, i := range positions {
		shipment, err := call.shipment(i)
		if err != nil {
			outcomes[i].Err = err
			continue
		}
		outcomes[i].parcel = shipment.Parcel
		shipments, sent = append(shipments, shipment), append(sent, i)
	}
	together := a.shipTogether(ctx, call.seller, shipments)
	for at, i := range sent {
		outcomes[i].ShipOutcome = together[at]
		if errors.Is(together[at].Err, store.ErrApart) && ctx.Err() == nil {
			outcomes[i].ShipOutcome = a.shipAlone(ctx, shipments[at])
		}
	}
}

// shipment is what an entry asks for. Its texts may be wrong.
func (b *batch) shipment(position int) (store.Shipment, error) {
	entry := &b.entries[position]
	parcel, err := entry.sent.parse()
	if err != nil {
		return store.Shipment{}, err
	}
	if !web.IsIdentifier(entry.orderNo) {
		return store.Shipment{}, apierr.OrderNotFound
	}
	return store.Shipment{Process: store.Process{SellerID: b.seller, OrderNo: entry.orderNo, ItemIDs: entry.itemIDs}, Parcel: parcel}, nil
}

// shipTogether ships in one transaction. When that fails as a whole, with a panic even, each is to be shipped apart: one of them is to
// blame, or none. It is logged, because a cause that stays would make every batch slow and be seen nowhere else.
func (a *API) shipTogether(ctx context.Context, seller uuid.UUID, shipments []store.Shipment) (outcomes []store.ShipOutcome) {
	apart := slices.Repeat([]store.ShipOutcome{{Err: store.ErrApart}}, len(shipments))
	if len(shipments) < 2 {
		return apart
	}
	defer func() {
		if problem := recover(); problem != nil {
			outcomes = apart
			a.warnApart(ctx, len(shipments), fmt.Errorf("panic: %v\n%s", problem, debug.Stack()))
		}
	}()
	outcomes, err := a.Orders.ShipTogether(ctx, seller, shipments)
	if err != nil {
		a.warnApart(ctx, len(shipments), err)
		return apart
	}
	return outcomes
}

// warnApart logs that entries which were to share a transaction are done one by one.
func (a *API) warnApart(ctx context.Context, entries int, err error) {
	a.Logger.WarnContext(ctx, "batch entries are done one by one", "entries", entries, "error", err)
}

// shipAlone ships in a transaction of its own. Whatever goes wrong is the entry's failure, a panic included; an unexpected error is
// logged here, because the answer is a success.
func (a *API) shipAlone(ctx context.Context, shipment store.Shipment) (outcome store.ShipOutcome) {
	defer func() {
		if problem := recover(); problem != nil {
			outcome.Err = apierr.Internal.Because(fmt.Errorf("panic: %v\n%s", problem, debug.Stack()))
		}
		if outcome.Err != nil && !apierr.From(outcome.Err).Code.Batch() {
			a.Logger.ErrorContext(ctx, "batch entry failed", "order_no", shipment.OrderNo, "error", outcome.Err)
		}
	}()
	done, err := a.Orders.ShipAlone(ctx, shipment.Process, shipment.Parcel)
	return store.ShipOutcome{Done: done, Err: err}
}

// slots bound how many groups of batch entries an instance works on at once, over all batches, so that batches leave connections to
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
	// Index is where the entry stands in the request, and ErrorData what the single call is refused with, but for the id of the
	// request; both are additions to the interface.
	Index     int            `json:"index"`
	ErrorData map[string]any `json:"error_data"`
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
		if outcome.Err != nil {
			view.Failed = append(view.Failed, newFailedView(i, entry, outcome.Err, call.lang))
			for _, id := range entry.itemIDs {
				failed[failedItem{orderNo: entry.orderNo, id: strings.ToLower(id)}] = true
			}
			continue
		}
		for k := range outcome.Done.Items {
			if id := outcome.Done.Items[k].Item.ID; !succeeded[id] {
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
func newFailedView(index int, entry *batchEntry, err error, lang apierr.Lang) failedView {
	failure := apierr.From(err)
	if code := failure.Code.InBatch(); code != failure.Code {
		failure = &apierr.Error{Code: code} // what stopped the order is for the log
	}
	view := failedView{
		OrderNo: entry.orderNo, OrderItemPublicIDs: entry.itemIDs, ErrorCode: string(failure.Code), Message: failure.Message(lang),
		Index: index, ErrorData: failure.Public(lang),
	}
	if failure.Code == apierr.OrderNotFound {
		view.OrderItemPublicIDs = []string{}
	}
	return view
}
