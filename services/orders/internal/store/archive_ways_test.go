package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// waysIn are all calls about an order, each with its result.
var waysIn = map[string]func(h *shop) (any, error){
	"prepare": func(h *shop) (any, error) { done, err := h.prepare(h.call(1)); return done.Items, err },
	"ship":    func(h *shop) (any, error) { return shipped(h.ship(h.call(1, 2), parcels[1])) },
	"ship again": func(h *shop) (any, error) {
		return shipped(h.ship(h.call(2), parcels[1]))
	},
	"deliver": func(h *shop) (any, error) { return shipped(h.deliver(h.call(1, 2))) },
	"deliver another's item": func(h *shop) (any, error) {
		return shipped(h.deliver(Process{SellerID: h.a, OrderNo: h.no, ItemIDs: []string{h.id(3).String()}}))
	},
	"confirm":   func(h *shop) (any, error) { return h.s.Confirm(h.t.Context(), h.no, h.call(1).ItemIDs, nil) },
	"act":       func(h *shop) (any, error) { return h.correct("a-9") },
	"act again": func(h *shop) (any, error) { return h.correct("a-1") },
	"confirmed by operator": func(h *shop) (any, error) {
		operator := act("a-3")
		return h.s.Confirm(h.t.Context(), h.no, h.call(2).ItemIDs, &operator)
	},
	"open":                      func(h *shop) (any, error) { return h.open(h.hold("C-2", order.ClaimReturn, 1)) },
	"open again":                func(h *shop) (any, error) { return h.open(h.hold("C-1", order.ClaimReturn, 1)) },
	"open with another content": func(h *shop) (any, error) { return h.open(h.hold("C-1", order.ClaimReturn, 2)) },
	"settle again":              func(h *shop) (any, error) { hold, err := h.s.Settle(h.t.Context(), "C-1"); return hold.State, err },
	"seal":                      func(h *shop) (any, error) { return nil, h.s.Seal(h.t.Context(), "C-1") },
	"touch again":               func(h *shop) (any, error) { return nil, h.s.Touch(h.t.Context(), "C-1", "collecting") },
	"touch":                     func(h *shop) (any, error) { return nil, h.s.Touch(h.t.Context(), "C-1", "refunded") },
	"release":                   func(h *shop) (any, error) { return nil, h.s.Release(h.t.Context(), "C-1") },
	"convert":                   func(h *shop) (any, error) { return nil, h.s.Convert(h.t.Context(), "C-1", "C-3", false, false) },
	"look": func(h *shop) (any, error) {
		var seen string
		err := h.s.Look(h.t.Context(), "C-1", func(o *order.Locked, hold *order.Hold) {
			seen = fmt.Sprint(o.No, o.Status, len(o.Items), hold.State, len(hold.Items))
		})
		return seen, err
	},
	"payment": func(h *shop) (any, error) {
		return h.s.EndPayment(h.t.Context(), h.no, order.PaymentPaid, ordertest.Epoch)
	},
	"payment failed": func(h *shop) (any, error) {
		return h.s.EndPayment(h.t.Context(), h.no, order.PaymentFailed, ordertest.Epoch)
	},
	"place again": func(h *shop) (any, error) {
		placed, err := h.s.Place(h.t.Context(), []order.Placement{h.placed})
		return len(placed[0].ItemIDs), err
	},
	"forget": func(h *shop) (any, error) { return h.s.Forget(h.t.Context(), h.placed.MemberID) },
}

// shipped returns the result of a call for its items, without their ids.
func shipped(done Processed, err error) (any, error) {
	told := make([]any, 0, 2+3*len(done.Items))
	told = append(told, done.OrderNo, done.Status)
	for _, item := range done.Items {
		told = append(told, item.Item.Seq, item.Item.State, item.AlreadyDone)
	}
	return told, err
}

// correct has an operator set the second item back to shipping, in another parcel.
func (h *shop) correct(id string) (any, error) {
	return h.s.Correct(h.t.Context(), h.no, h.id(2).String(), order.Correction{To: order.Shipping, Parcel: &parcels[1]}, act(id))
}

// Every call about an archived order, and its repetition, has the same result as if the order had not been archived.
func TestArchive_everyWayIn(t *testing.T) {
	t.Parallel()
	for name, call := range waysIn {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stayed, archived := ended(t), ended(t).archive()
			for range 2 {
				wanted, wantedErr := call(stayed)
				got, err := call(archived)
				require.Equal(t, fmt.Sprint(wantedErr), hidden(archived, stayed, fmt.Sprint(err)))
				require.Equal(t, wanted, got)
			}
			stayedSeen, seen := stayed.seen(stayed.a), archived.seen(archived.a)
			require.Equal(t, stayedSeen.Contact, seen.Contact)
			require.Len(t, seen.Items, len(stayedSeen.Items))
		})
	}
}

// hidden replaces the ids of one order in a text with those of another.
func hidden(of, as *shop, text string) string {
	for n := 1; n <= 3; n++ {
		text = strings.ReplaceAll(text, of.id(n).String(), as.id(n).String())
	}
	return text
}

// A refused call leaves the order in the archive; a call that changes it brings it back.
func TestArchive_refusalChangesNothing(t *testing.T) {
	t.Parallel()
	h := ended(t).archive()
	_, err := h.prepare(h.call(1))
	require.Error(t, err)
	require.Equal(t, 2, h.count("archived_orders"))
	h.must(h.deliver(h.call(1)))
	require.Zero(t, h.count("archived_orders"))
	h.archive()
}
