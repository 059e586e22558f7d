package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// orderHistories is many orders of two sellers with every possible kind of change.
type orderHistories struct {
	*shop
	shops []*shop
}

func newOrderHistories(t *testing.T, r *rand.Rand, n, steps int) *orderHistories {
	t.Helper()
	first := newShop(t)
	all := &orderHistories{shop: first, shops: []*shop{first}}
	for i := 1; i < n; i++ {
		next := *first
		next.no = fmt.Sprintf("O-%d", i+1)
		next.placed = ordertest.New(next.no, ordertest.Epoch.Add(time.Duration(i)*time.Hour), first.a, first.b)
		place(t, first.s, next.placed)
		all.shops = append(all.shops, &next)
	}
	holds := map[*shop]map[string]order.Hold{}
	for step := range steps {
		h := all.shops[r.IntN(n)]
		if holds[h] == nil {
			holds[h] = map[string]order.Hold{}
		}
		before := h.read()
		plan, err := h.try(r, before, holds[h], step)
		if err != nil || !plan.Stamps() {
			continue
		}
		require.NoError(t, postgres.InTx(t.Context(), h.db.Pool, func(ctx context.Context, tx pgx.Tx) error {
			_, err := h.s.save(ctx, tx, before, &plan)
			return err
		}), "step %d", step)
	}
	return all
}

type entered struct {
	no string
	to order.State
	at time.Time
}

// history returns the changes of a seller's orders, those of the last changed order first.
func (s *orderHistories) history(seller uuid.UUID) []entered {
	s.t.Helper()
	rows, err := s.db.Pool.Query(s.t.Context(), `select o.order_no, c.to_status, c.changed_at
		from status_changes c join orders o on o.seller_id = c.seller_id and o.order_id = c.order_id
		join seller_orders so on so.seller_id = c.seller_id and so.order_id = c.order_id
		where c.seller_id = $1 order by so.updated_at desc, so.order_id desc`, seller)
	require.NoError(s.t, err)
	history, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (e entered, err error) {
		err = row.Scan(&e.no, &e.to, &e.at)
		return e, err
	})
	require.NoError(s.t, err)
	return history
}

func wanted(history []entered, filter *order.ChangeFilter) []string {
	list := []string{}
	for _, e := range history {
		early := filter.At.From != nil && e.at.Before(*filter.At.From)
		late := filter.At.Until != nil && e.at.After(*filter.At.Until)
		if e.to == filter.To && !early && !late && (len(list) == 0 || list[len(list)-1] != e.no) {
			list = append(list, e.no)
		}
	}
	return list
}

// anyRange returns a range whose bounds are times of the history, or a microsecond beside them, or open.
func anyRange(r *rand.Rand, history []entered) order.Range {
	at := func() *time.Time {
		if r.IntN(4) == 0 {
			return nil
		}
		return ptr(history[r.IntN(len(history))].at.Add(time.Duration(r.IntN(3)-1) * time.Microsecond))
	}
	in := order.Range{From: at(), Until: at()}
	if in.From != nil && in.Until != nil && in.Until.Before(*in.From) {
		in.From, in.Until = in.Until, in.From
	}
	return in
}

// Whatever has happened to orders, in this version and the previous one side by side, a list of changes has exactly the orders
// whose history has such a change: for every state and every range, gathered and walked. The seed is printed with a failure.
func TestList_changesAgreeWithHistory(t *testing.T) {
	t.Parallel()
	seed := time.Now().UnixNano()
	r := rand.New(rand.NewPCG(uint64(seed), 2)) //nolint:gosec // a test's choice
	s := newOrderHistories(t, r, 15, 500)
	walking := s.s.bounded(0, usualBounds.walk)
	found := map[order.State]int{}
	for _, seller := range []uuid.UUID{s.a, s.b} {
		history := s.history(seller)
		for _, state := range order.VisibleStates() {
			for range 20 {
				filter := order.Filter{Change: &order.ChangeFilter{To: state, At: anyRange(r, history)}}
				list := wanted(history, filter.Change)
				found[state] += len(list)
				require.Equal(t, list, numbers(walk(t, s.s, seller, filter, 4)), "seed %d: %+v", seed, filter.Change)
				require.Equal(t, list, numbers(walk(t, walking, seller, filter, 4)), "seed %d: %+v", seed, filter.Change)
			}
		}
	}
	for _, state := range []order.State{order.Paid, order.Shipping, order.Delivered} {
		require.NotZero(t, found[state], "seed %d: %s never happened", seed, state)
	}
}
