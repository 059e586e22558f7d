package store

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/actor"
	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// replayed is what a history says of an item.
type replayed struct {
	state                   order.State
	carrierName, trackingNo string
	claimNo                 string
	quantity                int64
}

// replay returns the items after the events. A split takes what its origin has, and quantities count from the present ones back.
func replay(history *order.History) map[uuid.UUID]replayed {
	items := map[uuid.UUID]replayed{}
	for _, e := range history.Events {
		for _, id := range e.ItemIDs {
			item := items[id]
			switch e.Kind {
			case order.EventStatus:
				item.state = e.State
			case order.EventParcel:
				item.carrierName, item.trackingNo = e.CarrierName, e.TrackingNo
			case order.EventHold:
				item.claimNo = e.ClaimNo
			case order.EventHoldEnd:
				item.claimNo = ""
			case order.EventSplit:
				item = items[e.OriginID]
				item.claimNo, item.quantity = "", e.Quantity
				origin := items[e.OriginID]
				origin.quantity -= e.Quantity
				items[e.OriginID] = origin
			}
			items[id] = item
		}
	}
	return items
}

// requireReplays fails unless the seller's history leads to the seller's items as they are.
func (h *shop) requireReplays(seller uuid.UUID) {
	h.t.Helper()
	history, err := h.s.History(h.t.Context(), seller, h.no)
	require.NoError(h.t, err)
	want := map[uuid.UUID]replayed{}
	got := replay(history)
	for _, item := range h.seen(seller).Items {
		now := replayed{state: item.State, carrierName: item.CarrierName, trackingNo: item.TrackingNo}
		if item.HasActiveClaim {
			now.claimNo = h.claimOf(item.ID)
		}
		said := got[item.ID]
		if item.SplitFromClaimNo != "" {
			now.quantity = item.Quantity
		} else {
			said.quantity = 0
		}
		if !item.State.Shows().Parcel {
			said.carrierName, said.trackingNo = "", ""
		}
		want[item.ID], got[item.ID] = now, said
	}
	require.Equal(h.t, want, got, "%+v", history.Events)
	require.True(h.t, slices.IsSortedFunc(history.Events, func(a, b order.Event) int { return a.At.Compare(b.At) }))
}

func (h *shop) claimOf(item uuid.UUID) (no string) {
	h.t.Helper()
	require.NoError(h.t, h.db.Pool.QueryRow(h.t.Context(), "select claim_no from lines where item_id = $1", item).Scan(&no))
	return no
}

// Whatever happened to an order, its history leads to what is there now: for each seller, at every moment.
func TestHistory_replayGivesPresent(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(43, 4))
	exchanged := 0
	for range 4 {
		h := newShop(t)
		h.requireReplays(h.a)
		for step := range 60 {
			h.anything(r, step)
			h.requireReplays(h.a)
			h.requireReplays(h.b)
		}
		for _, item := range h.seen(h.a).Items {
			if item.State == order.Exchanged {
				exchanged++
			}
		}
	}
	require.Positive(t, exchanged, "no exchange was completed")
}

// anything tries a change of any kind.
func (h *shop) anything(r *rand.Rand, step int) {
	ctx, claimNo := h.t.Context(), fmt.Sprintf("C-%d", r.IntN(step+1))
	items := h.seen(h.a).Items
	item := items[r.IntN(len(items))]
	call := order.ProcessCommand{SellerID: h.a, OrderNo: h.no, ItemIDs: []string{item.ID.String()}}
	parcel := carrier.Shipment{Carrier: "한진택배", TrackingNo: carrier.TrackingNo(fmt.Sprintf("41234567%04d", step))}
	switch r.IntN(14) {
	case 0:
		_, _ = h.prepare(call)
	case 1, 2:
		_, _ = h.ship(call, parcel)
	case 3:
		_, _ = h.deliver(call)
	case 4:
		_, _ = h.open(&order.Hold{
			ClaimNo: fmt.Sprintf("C-%d", step), Type: ordertest.ClaimTypes()[r.IntN(3)], SellerID: h.a, State: order.HoldActive,
			Items: []order.HoldItem{{ItemID: item.ID, Quantity: 1 + r.Int64N(item.Quantity)}},
		})
	case 5:
		_, _ = h.s.Decide(ctx, claimNo, func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
			return o.Settle(hold, h.s.terms, uuid.New)
		})
	case 6:
		if _, known, _ := findHeld(ctx, h.db.Pool, claimNo); known {
			_ = h.s.Release(ctx, claimNo)
		}
	case 7:
		to := []order.State{order.Paid, order.Preparing, order.Shipping, order.Delivered}[r.IntN(4)]
		correction := order.Correction{To: to}
		if to.Shows().Parcel {
			correction.Parcel = &parcel
		}
		_, _ = h.s.Correct(ctx, h.no, item.ID.String(), correction, order.Act{ID: uuid.NewString(), Operator: "kim", Reason: "secret"})
	case 8:
		if r.IntN(4) == 0 { // afterwards nothing happens to the item
			_, _ = h.s.Confirm(ctx, h.no, []string{item.ID.String()}, nil)
		}
	case 9, 10:
		_, _ = h.correctShipment(call, parcel)
	default:
		h.exchange(r, parcel)
	}
}

// exchange tries the next step of an exchange, if one is under way.
func (h *shop) exchange(r *rand.Rand, parcel carrier.Shipment) {
	h.t.Helper()
	rows, _ := h.db.Pool.Query(h.t.Context(), `select claim_no, item_id, exchange_item_id is not null
		from claim_holds join claim_hold_items using (seller_id, claim_no)
		where claim_type = 'exchange' and ended_at is null order by claim_no`)
	type held struct {
		ClaimNo    string
		ItemID     uuid.UUID
		IsReplaced bool
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[held])
	require.NoError(h.t, err)
	if len(all) == 0 {
		return
	}
	one := all[r.IntN(len(all))]
	if one.IsReplaced {
		_, _ = h.shipExchangeLine(h.t.Context(), one.ClaimNo, "", parcel)
		return
	}
	_, _ = h.addExchangeLine(h.t.Context(), one.ClaimNo, []order.Replacement{{ItemID: one.ItemID, OptionName: "L", Paid: 100}})
}

// Every event says who caused it; a key is named by its prefix alone, an operator not at all.
func TestHistory_saysWho(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	by := actor.Actor{By: actor.Seller, KeyID: "id-of-key", KeyPrefix: "sk_test_abcd", RequestID: "request-1"}
	call := h.call(1)
	shipping := []order.ShipCommand{{ProcessCommand: call, Parcel: parcels[0]}}
	_, err := h.s.ShipTogether(actor.NewContext(t.Context(), by), h.a, shipping)
	require.NoError(t, err)
	_, err = h.s.ShipAlone(actor.NewContext(t.Context(), by), call, parcels[0])
	require.NoError(t, err)
	_, err = h.s.Correct(t.Context(), h.no, call.ItemIDs[0], order.Correction{To: order.Delivered},
		order.Act{ID: "act-1", Operator: "kim", Reason: "secret"})
	require.NoError(t, err)
	_, err = h.open(h.hold("C-1", order.ClaimReturn, 1))
	require.NoError(t, err)
	require.NoError(t, h.s.Release(t.Context(), "C-1"))
	_, err = h.s.Confirm(t.Context(), h.no, call.ItemIDs, nil)
	require.NoError(t, err)

	history, err := h.s.History(t.Context(), h.a, h.no)
	require.NoError(t, err)
	said := make([]string, 0, len(history.Events))
	for _, e := range history.Events {
		said = append(said, fmt.Sprint(e.Kind, " ", e.State, e.ClaimNo, " ", e.ChangedBy, " ", e.KeyPrefix))
	}
	require.Equal(t, []string{
		"status paid system ", "parcel  seller sk_test_abcd", "status shipping seller sk_test_abcd", "status delivered operator ",
		"hold C-1 claim ", "hold_end C-1 claim ", "status confirmed customer ",
	}, said)
	text, err := json.Marshal(history)
	require.NoError(t, err)
	for _, private := range []string{"kim", "secret", "id-of-key", "김민준"} {
		require.NotContains(t, string(text), private)
	}
	var requests int
	require.NoError(t, h.db.Pool.QueryRow(t.Context(), `select count(*) from status_changes
		where request_id = 'request-1' and key_id = 'id-of-key'`).Scan(&requests))
	require.Equal(t, 1, requests)
}

// Parcels and states that an order was placed with are the system's; several parcels at one time stay apart.
func TestHistory_placedWithParcels(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	placed := ordertest.New("O-PAST", ordertest.Epoch, h.a)
	placed.Parts[0].Lines = append(placed.Parts[0].Lines, ordertest.NewLine(), ordertest.NewLine())
	for i := range placed.Parts[0].Lines {
		ordertest.History(&placed.Parts[0].Lines[i], ordertest.Epoch, time.Hour, order.Preparing, order.Shipping, order.Delivered)
	}
	placed.Parts[0].Lines[2].Shipment.TrackingNo = "612345678912"
	place(t, h.s, placed)
	past := *h
	past.no = "O-PAST"
	past.requireReplays(h.a)
}

// Another seller's order has no history, nor has an unpaid or a missing one.
func TestHistory_notFound(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	pending := ordertest.New("O-PENDING", ordertest.Epoch, h.a)
	pending.PaidAt = time.Time{}
	place(t, h.s, pending)
	_, err := h.s.History(t.Context(), uuid.New(), h.no)
	require.ErrorIs(t, err, apierr.OrderNotFound)
	for _, no := range []string{"O-PENDING", "O-NONE"} {
		_, err = h.s.History(t.Context(), h.a, no)
		require.ErrorIs(t, err, apierr.OrderNotFound)
	}
}

// A history is served by the indexes of one order, however many there are, also by a plan that was made for empty tables.
func TestHistory_servedByIndex(t *testing.T) {
	t.Parallel()
	_, db := setup(t)
	empty := filled{db: db, secured: db.AsService(t), seller: uuid.New(), now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
	for size, f := range map[string]filled{"empty": empty, "many": fill(t, filledOrders)} {
		root := f.explain(t, queries.SQL("OrderHistory"), []any{f.seller, "F-1"})
		for _, index := range historyIndexes {
			require.Contains(t, root.indexes(), index, size)
		}
		requireCheap(t, root, flatCost, size)
	}
}

// historyIndexes are what serves the history of an order.
var historyIndexes = []string{
	"orders_order_no", "status_changes_of_order", "shipments_pkey", "claim_holds_of_order", "claim_hold_items_pkey",
}
