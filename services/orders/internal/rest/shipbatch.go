package rest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/orders/internal/order"
)

// longestOrderNo is the maximum length of an order number in an entry, because refusals contain it and are stored. Real numbers
// are shorter.
const longestOrderNo = 200

var entriesMost = operation.Named(operation.ShipOrders).MaxEntries

type batch struct {
	seller  uuid.UUID
	entries []batchEntry
	lang    apierr.Lang
}

type batchEntry struct {
	orderNo string
	itemIDs []string
	sent    sentParcel
}

// readBatch reads the structure of a batch. A structural error in any entry fails the whole batch; an invalid value fails only
// its entry.
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

// groupMost is the maximum number of entries that share a transaction. In BenchmarkShipTogether, a batch of 500 takes 1.1 times
// as long in groups of 25, because there are more commits, 1.4 times in groups of 100, because fewer run at once, and 5 times
// one by one.
const groupMost = 50

// shipBatch implements POST /open/v1/orders/batch/shipment. Entries of different orders share transactions of up to groupMost
// entries, which run concurrently; entries of the same order run one after the other. Entries are independent: a refusal
// changes nothing, and a failed group is retried entry by entry. After a crash, a repetition of the call finds the shipped
// entries already done.
func (a *API) shipBatch(ctx context.Context, call batch) (any, error) {
	outcomes := make([]entryResult, len(call.entries))
	for _, round := range call.rounds() {
		var running sync.WaitGroup
		for group := range slices.Chunk(round, groupMost) {
			if a.batchSlots.Acquire(ctx, 1) != nil {
				break
			}
			running.Go(func() {
				defer a.batchSlots.Release(1)
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

// rounds returns the indexes of the entries in rounds: the first entry of each order, the second of each, and so on.
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

type entryResult struct {
	order.ShipResult
	parcel carrier.Shipment
}

func (a *API) shipGroup(ctx context.Context, call *batch, positions []int, outcomes []entryResult) {
	ctx, end := telemetry.StartPart(ctx, "ship group") // the span of the call could not have all of its orders
	defer end()
	shipments, sent := call.shipments(positions, outcomes)
	together := a.shipTogether(ctx, call.seller, shipments)
	for at, i := range sent {
		outcomes[i].ShipResult = together[at]
		if errors.Is(together[at].Err, order.ErrApart) && ctx.Err() == nil {
			outcomes[i].ShipResult = a.shipAlone(ctx, shipments[at])
		}
	}
	a.nameGroup(ctx, call, sent, outcomes)
}

// nameGroup names the orders of a group on its span and in a log line, which have room for all of them, so that the life of
// each can be read. Orders that were not found are arbitrary client input.
func (a *API) nameGroup(ctx context.Context, call *batch, sent []int, outcomes []entryResult) {
	found := telemetry.Numbers{Name: telemetry.OrderNo}
	for _, i := range sent {
		if err := outcomes[i].Err; !errors.Is(err, apierr.OrderNotFound) && !errors.Is(err, order.ErrApart) {
			found.Values = append(found.Values, call.entries[i].orderNo)
		}
	}
	if len(found.Values) == 0 {
		return
	}
	found.Mark(ctx)
	attrs := []slog.Attr{slog.String("request_id", web.RequestID(ctx)), slog.String("seller_id", call.seller.String())}
	a.Logger.LogAttrs(ctx, slog.LevelInfo, "batch entries", found.Append(attrs)...)
}

// shipments returns the shipments of entries with their indexes. An entry with an invalid value gets its refusal instead.
func (b *batch) shipments(positions []int, outcomes []entryResult) (shipments []order.ShipCommand, sent []int) {
	shipments, sent = make([]order.ShipCommand, 0, len(positions)), make([]int, 0, len(positions))
	for _, i := range positions {
		shipment, err := b.shipment(i)
		if err != nil {
			outcomes[i].Err = err
			continue
		}
		outcomes[i].parcel = shipment.Parcel
		shipments, sent = append(shipments, shipment), append(sent, i)
	}
	return shipments, sent
}

func (b *batch) shipment(position int) (order.ShipCommand, error) {
	entry := &b.entries[position]
	parcel, err := entry.sent.parse()
	if err != nil {
		return order.ShipCommand{}, err
	}
	if !web.IsIdentifier(entry.orderNo) {
		return order.ShipCommand{}, apierr.OrderNotFound
	}
	return order.ShipCommand{ProcessCommand: order.ProcessCommand{
		SellerID: b.seller, OrderNo: entry.orderNo,
		ItemIDs: entry.itemIDs,
	}, Parcel: parcel}, nil
}

// shipTogether ships in one transaction. If the transaction fails, even by a panic, each entry is to be shipped alone, because
// at most some of them caused the failure. It is logged, because a persistent cause makes every batch slow and has no other
// visible effect.
func (a *API) shipTogether(ctx context.Context, seller uuid.UUID, shipments []order.ShipCommand) (outcomes []order.ShipResult) {
	apart := slices.Repeat([]order.ShipResult{{Err: order.ErrApart}}, len(shipments))
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

func (a *API) warnApart(ctx context.Context, entries int, err error) {
	a.Logger.WarnContext(ctx, "batch entries are processed individually", "entries", entries, "error", err)
}

// shipAlone ships in a transaction of its own. Whatever goes wrong is the entry's failure, a panic included; an unexpected
// error is logged here, because the answer is a success.
func (a *API) shipAlone(ctx context.Context, shipment order.ShipCommand) (outcome order.ShipResult) {
	defer func() {
		if problem := recover(); problem != nil {
			outcome.Err = apierr.Internal.Because(fmt.Errorf("panic: %v\n%s", problem, debug.Stack()))
		}
		if outcome.Err != nil && !apierr.From(outcome.Err).Code.Batch() {
			a.Logger.ErrorContext(ctx, "batch entry failed", "order_no", shipment.OrderNo, "error", outcome.Err)
		}
	}()
	done, err := a.Orders.ShipAlone(ctx, shipment.ProcessCommand, shipment.Parcel)
	return order.ShipResult{Done: done, Err: err}
}

type batchView struct {
	Succeeded []uuid.UUID      `json:"succeeded"`
	Failed    []failedView     `json:"failed"`
	Summary   batchSummaryView `json:"summary"`
	// Warnings is an addition to the API, absent when there are none.
	Warnings []warningView `json:"warnings,omitempty"`
}

type failedView struct {
	OrderNo string `json:"order_no"`
	// OrderItemPublicIDs are as sent; empty when the order was not found.
	OrderItemPublicIDs []string `json:"order_item_public_ids"`
	ErrorCode          string   `json:"error_code"`
	Message            string   `json:"message"`
	// Index is the index of the entry in the request. ErrorData is that of the single call, without the request id. Both are
	// additions to the API.
	Index     int            `json:"index"`
	ErrorData map[string]any `json:"error_data"`
}

// batchSummaryView counts the items in succeeded and in failed, including those of orders that were not found. An item that
// several entries name counts once in each of the two.
type batchSummaryView struct {
	Succeeded int `json:"succeeded"`
	Failed    int `json:"failed"`
}

// newBatchView combines the outcomes, in the order of the call. An item is listed as succeeded only once, even if several entries
// name it.
func newBatchView(call batch, outcomes []entryResult) batchView {
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

// failedItem identifies an item of a failed entry as named in the call. Ids are case-insensitive.
type failedItem struct{ orderNo, id string }

func newFailedView(index int, entry *batchEntry, err error, lang apierr.Lang) failedView {
	failure := apierr.From(err)
	if code := failure.Code.InBatch(); code != failure.Code {
		failure = &apierr.Error{Code: code} // the cause is only logged
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
