package store

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// read returns the order as the next writer would read it.
func (h *shop) read() *order.Locked {
	h.t.Helper()
	var o *order.Locked
	require.NoError(h.t, postgres.InTx(h.t.Context(), h.db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		var err error
		o, err = lockPaidOrder(ctx, tx, h.no)
		return err
	}))
	return o
}

func becomes(o *order.Locked, plan *order.Plan) *order.Locked {
	next := *o
	next.Status = o.Standing(plan).Status
	next.Items = nil
	for _, item := range o.Items {
		for _, changed := range plan.Changed {
			if changed.ID == item.ID {
				item = changed
			}
		}
		next.Items = append(next.Items, item)
	}
	next.Items = append(next.Items, plan.Added...)
	return &next
}

// Every column is written as decided, whatever the sequence of changes to an order, and what the seller sees of it adds up. The
// seed is printed with a failure.
func TestStore_randomPlansSavedAsDecided(t *testing.T) {
	t.Parallel()
	seed := time.Now().UnixNano()
	r := rand.New(rand.NewPCG(uint64(seed), 1)) //nolint:gosec // a test's choice
	h := newShop(t)
	holds := map[string]order.Hold{}
	for step := range 150 {
		before := h.read()
		plan, err := h.try(r, before, holds, step)
		if err != nil || !plan.Stamps() {
			continue
		}
		var written saved
		require.NoError(t, postgres.InTx(t.Context(), h.db.Pool, func(ctx context.Context, tx pgx.Tx) error {
			written, err = h.s.save(ctx, tx, before, &plan)
			return err
		}), "seed %d, step %d", seed, step)
		after := h.read()
		wanted := becomes(before, &plan) // its items have the id of the parcel by now
		require.True(t, after.Now.After(before.Now))
		for i := range after.Sellers {
			require.True(t, after.Sellers[i].UpdatedAt.After(before.Sellers[i].UpdatedAt))
			require.Equal(t, written.updatedAt[after.Sellers[i].ID], after.Sellers[i].UpdatedAt)
		}
		wanted.Now, wanted.Sellers = after.Now, after.Sellers
		require.Equal(t, wanted, after, "seed %d, step %d", seed, step)
		h.requireSeen(after)
	}
}

func (h *shop) try(r *rand.Rand, o *order.Locked, holds map[string]order.Hold, step int) (order.Plan, error) {
	item := o.Items[r.IntN(len(o.Items))]
	id := []string{item.ID.String()}
	parcel := parcels[r.IntN(len(parcels))]
	terms := order.DefaultTerms()
	var done order.Processed
	var err error
	switch r.IntN(9) {
	case 0:
		done, err = o.Prepare(item.SellerID, id)
	case 1, 2:
		done, err = o.Ship(item.SellerID, id, parcel)
	case 3:
		done, err = o.Deliver(item.SellerID, id, terms)
	case 4:
		if r.IntN(5) == 0 {
			done, err = o.Confirm(order.Customer, id)
		}
	case 5:
		correction := order.Correction{To: order.VisibleStates()[r.IntN(4)]}
		if correction.To.Shows().Parcel {
			correction.Parcel = &parcel
		}
		return o.Correct(id[0], correction, terms)
	case 7:
		return o.SetShipBy(id, [...]time.Time{{}, ordertest.Epoch, ordertest.Epoch.Add(time.Hour)}[r.IntN(3)])
	case 6:
		hold := order.Hold{
			ClaimNo: fmt.Sprintf("C-%d", step), Type: ordertest.ClaimTypes()[r.IntN(3)], SellerID: item.SellerID, State: order.HoldActive,
			Items: []order.HoldItem{{ItemID: item.ID, Quantity: 1 + r.Int64N(item.Quantity)}},
		}
		opened, err := o.Open(&hold)
		if err == nil {
			holds[hold.ClaimNo] = hold
		}
		return opened.Plan, err
	default:
		return further(r, o, holds)
	}
	return done.Plan, err
}

func further(r *rand.Rand, o *order.Locked, holds map[string]order.Hold) (order.Plan, error) {
	terms := order.DefaultTerms()
	numbers := slices.Sorted(maps.Keys(holds))
	if len(numbers) == 0 {
		return order.Plan{}, nil
	}
	no := numbers[r.IntN(len(numbers))]
	hold := holds[no]
	var next order.Hold
	var plan order.Plan
	var err error
	switch {
	case r.IntN(4) == 0:
		next, plan, err = o.Release(&hold, terms)
	case hold.Type != order.ClaimExchange:
		next, plan, err = o.Settle(&hold, terms, uuid.New)
	case hold.Items[0].ExchangeItemID == uuid.Nil:
		wanted := []order.Replacement{{ItemID: hold.Items[0].ItemID, OptionName: "L", Paid: 100}}
		next, plan, err = o.AddExchangeLine(&hold, wanted, uuid.New)
	default:
		next, plan, err = o.ShipExchangeLine(&hold, "", parcels[1], terms, uuid.New)
	}
	if err == nil {
		holds[no] = next
	}
	return plan, err
}

// requireSeen fails unless each seller's view of the order agrees with the writer's.
func (h *shop) requireSeen(o *order.Locked) {
	h.t.Helper()
	for _, seller := range []uuid.UUID{h.a, h.b} {
		seen := h.seen(seller)
		var items []order.Item
		var states order.Set
		for i := range o.Items {
			if o.Items[i].SellerID == seller {
				items = append(items, o.Items[i].Item)
				states = states.With(o.Items[i].State)
			}
		}
		require.Equal(h.t, items, seen.Items)
		status, _ := order.RollUp(states)
		require.Equal(h.t, status, seen.SellerStatus)
		require.Equal(h.t, o.Status, seen.Status)
		h.requireDue(seller, items)
		for _, state := range order.VisibleStates() {
			page, err := h.s.List(h.t.Context(), seller, order.Filter{ItemState: state}, nil, 1)
			require.NoError(h.t, err)
			require.Equal(h.t, states.Has(state), len(page.Rows) == 1, state)
		}
	}
}

// requireDue fails unless the list finds the order from the time on by which the first of the items that are still to be shipped
// should be.
func (h *shop) requireDue(seller uuid.UUID, items []order.Item) {
	h.t.Helper()
	for _, at := range []time.Time{ordertest.Epoch.Add(-time.Hour), ordertest.Epoch, ordertest.Epoch.Add(time.Hour)} {
		due := slices.ContainsFunc(items, func(i order.Item) bool {
			return i.State.Shows().ShipBy && !i.ShipBy.IsZero() && !i.ShipBy.After(at)
		})
		page, err := h.s.List(h.t.Context(), seller, order.Filter{ShipBy: &at}, nil, 1)
		require.NoError(h.t, err)
		require.Equal(h.t, due, len(page.Rows) == 1, at)
	}
}
