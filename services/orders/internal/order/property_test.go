package order_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// However an item is claimed piece by piece, pieces and amounts are conserved to the won. Codes are unique and ascend in the
// order in which the parts were split off.
func TestSettle_splittingConservesAmounts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		item := itemIn(order.Delivered)
		item.Quantity = rapid.Int64Range(1, order.MaxQuantity).Draw(t, "quantity")
		item.Prices.Line = rapid.Int64Range(0, order.MaxAmount).Draw(t, "amount")
		item.Prices.Discount = rapid.Int64Range(0, item.Prices.Line).Draw(t, "discount")
		item.Prices.Paid = item.Prices.Line - item.Prices.Discount
		item.Points = rapid.Int64Range(0, item.Prices.Paid).Draw(t, "points")
		o := locked(item)
		whole := o.Items[0]
		last := 2
		for claim := 1; !o.Items[0].State.Terminal(); claim++ {
			h := hold(fmt.Sprintf("C-%d", claim), order.ClaimReturn, rapid.Int64Range(1, o.Items[0].Quantity).Draw(t, "claimed"))
			opened, err := o.Open(h)
			require.NoError(t, err)
			before := o.Items[0]
			o = apply(o, opened.Plan)
			settled, plan, err := o.Settle(h, order.DefaultTerms(), newIDs())
			require.NoError(t, err)
			o = apply(o, plan)

			part := o.Item(settled.Items[0].SettledItemID)
			require.Equal(t, order.Returned, part.State)
			require.Equal(t, h.Items[0].Quantity, part.Quantity)
			require.Equal(t, before.Prices.Paid*part.Quantity/before.Quantity, part.Prices.Paid, "the share, rounded down")
			require.Equal(t, before.Points*part.Quantity/before.Quantity, part.Points)
			if part.ID != itemID(1) {
				last++
				require.Equal(t, last, part.Seq)
				require.Equal(t, h.ClaimNo, part.SplitFromClaimNo)
			}
			requireConserved(t, o, &whole)
			if claim == 40 {
				return
			}
		}
	})
}

// requireConserved fails unless an item and the parts split off from it add up to the original item.
func requireConserved(t require.TestingT, o *order.Locked, whole *order.LockedItem) {
	var pieces, points int64
	sum := order.Prices{List: whole.Prices.List, Unit: whole.Prices.Unit}
	seen := map[int]bool{}
	for i := range o.Items {
		item := &o.Items[i]
		require.False(t, seen[item.Seq], "codes are unique")
		seen[item.Seq] = true
		if item.ID != whole.ID && (item.OriginID != whole.ID || item.SplitFromClaimNo == "") {
			continue
		}
		pieces += item.Quantity
		sum.Line += item.Prices.Line
		sum.Discount += item.Prices.Discount
		sum.Paid += item.Prices.Paid
		points += item.Points
		require.GreaterOrEqual(t, item.Points, int64(0))
		require.LessOrEqual(t, item.Points, item.Prices.Paid)
		require.Positive(t, item.Quantity)
		require.GreaterOrEqual(t, item.Prices.Line, int64(0))
		require.GreaterOrEqual(t, item.Prices.Discount, int64(0))
		require.GreaterOrEqual(t, item.Prices.Paid, int64(0))
		require.Equal(t, item.Prices.Line-item.Prices.Discount, item.Prices.Paid)
	}
	require.Equal(t, whole.Quantity, pieces)
	require.Equal(t, whole.Prices, sum)
	require.Equal(t, whole.Points, points)
}

type life struct {
	order *order.Locked
	holds map[string]*order.Hold
	next  int
}

func (l *life) step(t *rapid.T) {
	item := rapid.SampledFrom(l.order.Items).Draw(t, "item")
	id := []string{item.ID.String()}
	parcels := []carrier.Shipment{parcel, {Carrier: carrier.Lotte, TrackingNo: "1"}}
	sent := rapid.SampledFrom(parcels).Draw(t, "parcel")
	terms := order.DefaultTerms()
	switch rapid.IntRange(0, 11).Draw(t, "operation") {
	case 0:
		l.twice(t, func() (order.Processed, error) { return l.order.Prepare(item.SellerID, id) })
	case 1, 2:
		l.twice(t, func() (order.Processed, error) { return l.order.Ship(item.SellerID, id, sent) })
	case 3, 4:
		l.twice(t, func() (order.Processed, error) { return l.order.Deliver(item.SellerID, id, terms) })
	case 5:
		l.twice(t, func() (order.Processed, error) { return l.order.Confirm(order.Customer, id) })
	case 6:
		c := order.Correction{To: rapid.SampledFrom(order.States()).Draw(t, "state")}
		if c.To.Shows().Parcel {
			c.Parcel = &sent
		}
		l.twice(t, func() (order.Processed, error) {
			plan, err := l.order.Correct(id[0], c, terms)
			return order.Processed{Plan: plan}, err
		})
	case 10:
		at := rapid.SampledFrom([]time.Time{{}, paidAt, paidAt.Add(time.Hour)}).Draw(t, "ship by")
		l.twice(t, func() (order.Processed, error) {
			plan, err := l.order.SetShipBy(id, at)
			return order.Processed{Plan: plan}, err
		})
	case 11:
		l.twice(t, func() (order.Processed, error) { return l.order.CorrectShipment(item.SellerID, id, sent) })
	case 7:
		l.open(t, &item)
	case 8:
		l.end(t)
	case 9:
		l.order.Now = l.order.Now.Add(time.Duration(rapid.IntRange(0, 10).Draw(t, "days")) * 24 * time.Hour)
		l.twice(t, func() (order.Processed, error) { return order.Processed{Plan: l.order.ConfirmDue()}, nil })
	}
}

// twice performs an operation and checks that an immediate repetition changes nothing.
func (l *life) twice(t *rapid.T, do func() (order.Processed, error)) {
	first, err := do()
	if err != nil {
		require.False(t, first.Plan.Stamps())
		return
	}
	l.become(t, first.Plan)
	again, err := do()
	require.NoError(t, err)
	require.False(t, again.Plan.Stamps(), "a repetition changes nothing")
	for i, item := range again.Items {
		require.True(t, item.AlreadyDone)
		require.Equal(t, first.Items[i].Item.State, item.Item.State)
	}
}

func (l *life) open(t *rapid.T, item *order.LockedItem) {
	l.next++
	h := &order.Hold{
		ClaimNo: fmt.Sprintf("C-%d", l.next), Type: rapid.SampledFrom(ordertest.ClaimTypes()).Draw(t, "type"),
		SellerID: item.SellerID, State: order.HoldActive,
		Items: []order.HoldItem{{ItemID: item.ID, Quantity: rapid.Int64Range(1, item.Quantity).Draw(t, "pieces")}},
	}
	opened, err := l.order.Open(h)
	if err != nil {
		return
	}
	l.become(t, opened.Plan)
	l.holds[h.ClaimNo] = h
}

func (l *life) end(t *rapid.T) {
	numbers := make([]string, 0, len(l.holds))
	for no := range l.holds {
		numbers = append(numbers, no)
	}
	if len(numbers) == 0 {
		return
	}
	slices.Sort(numbers)
	h := l.holds[rapid.SampledFrom(numbers).Draw(t, "claim")]
	call := l.ending(h, rapid.IntRange(0, 3).Draw(t, "way"))
	l.twice(t, func() (order.Processed, error) {
		next, plan, err := call()
		if err == nil {
			*h = next
		}
		return order.Processed{Plan: plan}, err
	})
}

func (l *life) ending(h *order.Hold, way int) func() (order.Hold, order.Plan, error) {
	terms := order.DefaultTerms()
	switch {
	case way == 0:
		return func() (order.Hold, order.Plan, error) {
			next, plan, _ := l.order.Release(h, terms)
			return next, plan, nil
		}
	case h.Type != order.ClaimExchange:
		return func() (order.Hold, order.Plan, error) { return l.order.Settle(h, terms, uuid.New) }
	case way == 1:
		return func() (order.Hold, order.Plan, error) {
			next, plan, err := l.order.Convert(h, "R-"+h.ClaimNo, false, false)
			if taken := plan.Taken; taken != nil {
				l.holds[taken.ClaimNo] = taken
			}
			return next, plan, err
		}
	case h.Items[0].ExchangeItemID == uuid.Nil:
		wanted := []order.Replacement{{ItemID: h.Items[0].ItemID, Paid: 100}}
		return func() (order.Hold, order.Plan, error) { return l.order.AddExchangeLine(h, wanted, uuid.New) }
	default:
		return func() (order.Hold, order.Plan, error) {
			return l.order.ShipExchangeLine(h, "", parcel, terms, uuid.New)
		}
	}
}

func (l *life) become(t *rapid.T, plan order.Plan) {
	before := l.order
	l.order = apply(before, plan)
	states := map[uuid.UUID]order.State{}
	for i := range before.Items {
		states[before.Items[i].ID] = before.Items[i].State
	}
	for _, entry := range plan.Entered {
		if from, there := states[entry.ItemID]; there {
			require.True(t, order.Follows(from, entry.To), "%s -> %s", from, entry.To)
		}
		states[entry.ItemID] = entry.To
	}
	var all order.Set
	for i := range l.order.Items {
		item := &l.order.Items[i]
		require.Equal(t, states[item.ID], item.State, "every change of a state is in the history")
		requireFields(t, item)
		all = all.With(item.State)
	}
	status, _ := order.RollUp(all)
	require.Equal(t, status, l.order.Status)
}

// Whatever the sequence of operations on an order: states change along arrows only and each change is recorded, items have
// exactly the fields of their state, the roll-up agrees with the items, and repeating an operation changes nothing.
func TestOrder_randomLivesKeepTheRules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := &life{order: locked(itemIn(order.Paid), itemIn(order.Paid), itemIn(order.Delivered)), holds: map[string]*order.Hold{}}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			l.step(t)
			for _, no := range l.holds {
				if no.State == order.HoldActive {
					require.Equal(t, no.ClaimNo, l.order.Item(no.Items[0].ItemID).ClaimNo, "items of an active hold are marked")
				}
				if no.State == order.HoldConverted {
					require.False(t, l.order.ExchangeShipped(no), "a refunded exchange must not ship new goods")
				}
			}
		}
		wholes := locked(itemIn(order.Paid), itemIn(order.Paid), itemIn(order.Delivered)).Items
		for i := range wholes {
			requireConserved(t, l.order, &wholes[i])
		}
	})
}
