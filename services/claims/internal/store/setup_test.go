package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

type fixture struct {
	*pgtest.DB
	store *store.Store
}

func setup(t *testing.T) fixture {
	t.Helper()
	db := pgtest.New(t, store.Migrations())
	return fixture{DB: db, store: store.New(db.AsService(t))}
}

var (
	api    = claim.Actor{Kind: claim.ByAPI, Name: "key-1", KeyPrefix: "vpk_test_abc"}
	around = claim.Surroundings{Periods: claim.DefaultPeriods()}
	hanjin = claim.Values{Carrier: "한진택배", TrackingNo: "412345678901"}
	pass   = claim.Values{Result: claim.Pass}
)

// wanted returns a request for two of three pieces of one line.
func wanted(seller uuid.UUID, kind claim.Type) claim.Wanted {
	w := claim.Wanted{
		No: "C-" + uuid.NewString(), OrderNo: "O-" + uuid.NewString(), SellerID: seller, Type: kind, Reason: claim.Defective,
		Items: []claim.WantedItem{{ItemID: uuid.New(), Quantity: 2}},
	}
	if kind == claim.Exchange {
		w.Items[0].ExchangeOptionName, w.Items[0].ExchangeUnitPrice = "파랑 / L", 4000
	}
	return w
}

func heldFor(w claim.Wanted, now time.Time) claim.Held {
	held := claim.Held{ShippingPaid: 3000, SellerQuantity: 3}
	for i, item := range w.Items {
		held.Lines = append(held.Lines, claim.Line{
			ItemID: item.ItemID, ItemCode: fmt.Sprintf("%s-%02d", w.OrderNo, i+1), ProductName: "셔츠", OptionName: "빨강 / M",
			Quantity: 3, UnitPrice: 5000, Paid: 15000, DeliveredAt: &now,
		})
	}
	return held
}

func (b fixture) request(t *testing.T, w claim.Wanted, open store.Opening) (claim.Claim, error) {
	t.Helper()
	step, err := b.store.PlanOpening(t.Context(), w)
	if err != nil {
		return claim.Claim{}, err
	}
	return b.store.Open(t.Context(), step, claim.Won, open)
}

func (b fixture) open(t *testing.T, w claim.Wanted) claim.Claim {
	t.Helper()
	c, err := b.request(t, w, func(policy claim.Policy, now time.Time) (claim.Change, error) {
		return claim.Open(w, heldFor(w, now), policy, claim.DefaultPeriods(), now)
	})
	require.NoError(t, err)
	return c
}

func (b fixture) openOne(t *testing.T, seller uuid.UUID, kind claim.Type) claim.Claim {
	t.Helper()
	return b.open(t, wanted(seller, kind))
}

func deciding(action claim.Trigger, values claim.Values) store.Deciding {
	return func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		cmd := claim.Command{Action: action, Values: values, Actor: api}
		return claim.Decide(c, cmd, now)
	}
}

func confirming(action claim.Trigger, settled ...claim.Settled) store.Deciding {
	return func(c *claim.Claim, undone claim.Undone, now time.Time) claim.Decision {
		registered := c.Performed.Of(action)
		if registered == nil {
			return claim.Decision{Verdict: claim.AlreadyDone}
		}
		return c.Confirm(*registered, settled, claim.Surroundings{Periods: around.Periods, Undone: undone}, now)
	}
}

func abandoning(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
	return c.Abandon(*c.Performed.Pending(), now)
}

func (b fixture) change(t *testing.T, c claim.Claim, decide store.Deciding) claim.Claim {
	t.Helper()
	outcome, err := b.store.Change(t.Context(), c.SellerID, c.No, decide)
	require.NoError(t, err)
	require.Equal(t, claim.Execute, outcome.Decision.Verdict)
	return outcome.Claim
}

// act performs an action, in both halves if it has two.
func (b fixture) act(t *testing.T, c claim.Claim, action claim.Trigger, values claim.Values) claim.Claim {
	t.Helper()
	c = b.change(t, c, deciding(action, values))
	if c.Performed.Pending() != nil {
		c = b.change(t, c, confirming(action))
	}
	return c
}

func (b fixture) get(t *testing.T, c claim.Claim) claim.Claim {
	t.Helper()
	got, err := b.store.Get(t.Context(), c.SellerID, c.No)
	require.NoError(t, err)
	return got
}

func (b fixture) walk(t *testing.T, seller uuid.UUID, filter claim.Filter, limit int) []string {
	t.Helper()
	var numbers []string
	var after *paging.Position
	for {
		page, err := b.store.List(t.Context(), seller, filter, after, limit)
		require.NoError(t, err)
		require.LessOrEqual(t, len(page.Rows), limit)
		for _, row := range page.Rows {
			numbers = append(numbers, row.No)
		}
		if after = page.Next; after == nil {
			return numbers
		}
		require.Len(t, page.Rows, limit, "every page but the last is full")
	}
}

// letCome moves the times of all steps and refunds back by a minute, as if a
// minute had passed.
func (b fixture) letCome(t *testing.T) {
	t.Helper()
	for _, statement := range []string{
		"update steps set planned_at = planned_at - interval '1 minute', next_at = next_at - interval '1 minute'",
		"update refunds set next_at = next_at - interval '1 minute'",
	} {
		_, err := b.Pool.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
}

func (b fixture) texts(t *testing.T, statement string, args ...any) []string {
	t.Helper()
	rows, err := b.Pool.Query(t.Context(), statement, args...)
	require.NoError(t, err)
	defer rows.Close()
	var list []string
	for rows.Next() {
		var text string
		require.NoError(t, rows.Scan(&text))
		list = append(list, text)
	}
	require.NoError(t, rows.Err())
	return list
}
