package store_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

// sold returns the facts of a part of an order: three pieces for 15,000, of which 6,000 in points.
func sold(w claim.Wanted, now time.Time, shipping, shippingPoints int64) claim.Held {
	held := heldFor(w, now)
	held.ShippingPaid, held.ShippingPoints = shipping, shippingPoints
	for i := range held.Lines {
		held.Lines[i].Points = 6000
	}
	return held
}

func (b fixture) openSold(t *testing.T, w claim.Wanted, shipping, shippingPoints int64) (claim.Claim, error) {
	t.Helper()
	return b.request(t, w, func(policy claim.Policy, now time.Time) (claim.Change, error) {
		return claim.Open(w, sold(w, now, shipping, shippingPoints), policy, claim.DefaultPeriods(), now)
	})
}

// Money and points of a refund are kept separate from the request to the ledger.
func TestPoints_savedAndPaidOut(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	w := wanted(seller, claim.Cancel)
	w.Items[0].Quantity = 3
	c, err := b.openSold(t, w, 3000, 1000)
	require.NoError(t, err)
	require.Equal(t, c, b.get(t, c))
	c = b.act(t, c, claim.Approve, claim.Values{})
	require.Equal(t, c, b.get(t, c))
	require.Equal(t, []int64{18000, 7000}, []int64{*c.Money.Refund, c.Money.RefundPoints})
	refunds, err := b.store.Refunds(t.Context(), seller, c.No)
	require.NoError(t, err)
	require.Equal(t, []int64{11000, 7000}, []int64{refunds[0].Amount, refunds[0].Points})
	_, err = b.store.ChangeRefund(t.Context(), seller, c.No, refunds[0].ID, succeeding)
	require.NoError(t, err)
	moved := b.texts(t, "select kind || ' ' || amount from ledger order by kind")
	require.Equal(t, []string{"points_payout 7000", "refund_payout 11000"}, moved)
}

// An exchange refunds points, and the return that replaces it refunds the rest of them.
func TestPoints_ofAConversion(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c, err := b.openSold(t, wanted(seller, claim.Exchange), 3000, 0) // two of three pieces, 1,000 cheaper each
	require.NoError(t, err)
	for _, action := range []claim.Trigger{claim.Approve, claim.Pickup, claim.CollectDone, claim.Inspect} {
		values := map[claim.Trigger]claim.Values{claim.Pickup: hanjin, claim.Inspect: pass}[action]
		c = b.act(t, c, action, values)
	}
	require.Equal(t, []int64{2000, 800}, []int64{*c.Money.Refund, c.Money.RefundPoints})
	returned, err := b.convert(t, c, "R-1")
	require.NoError(t, err)
	got := b.get(t, returned)
	require.ElementsMatch(t, returned.Performed, got.Performed)
	got.Performed = returned.Performed
	require.Equal(t, returned, got)
	require.Equal(t, &claim.Breakdown{Goods: 10000, PriceDifference: 2000, Points: 3200, Money: 4800}, returned.Breakdown())
	require.Equal(t, []string{"15000 10000"}, b.texts(t, "select paid || ' ' || refunded from line_refunds"),
		"8,000 and 2,000 of 15,000 are refunded")
}

// Whatever the rules decide, the database allows no line to be refunded more than was paid for it.
func TestLineRefunds_refusedBeyondWhatWasPaid(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c := b.openOne(t, seller, claim.Cancel)
	line := c.Items[0].ItemID
	counted := func() []string { return b.texts(t, "select paid || ' ' || refunded from line_refunds") }
	require.Equal(t, []string{"15000 0"}, counted(), "the amount paid for the line")
	_, err := b.store.Change(t.Context(), seller, c.No, func(c *claim.Claim, undone claim.Undone, now time.Time) claim.Decision {
		d := deciding(claim.Approve, claim.Values{})(c, undone, now)
		d.Change.GivenBack = []claim.LineAmount{{ItemID: line, Amount: 15001}}
		return d
	})
	require.ErrorContains(t, err, "line_refunds_paid")
	require.Equal(t, []string{"15000 0"}, counted())
	require.Equal(t, c, b.get(t, c), "the refund is not fixed")

	b.act(t, c, claim.Approve, claim.Values{})
	require.Equal(t, []string{"15000 10000"}, counted())
	w := wanted(seller, claim.Cancel)
	w.Items[0].ItemID = line
	b.open(t, w)
	require.Equal(t, []string{"15000 10000"}, counted(), "a later claim resets nothing")
	for _, beyond := range []string{"refunded + 5001", "-1"} {
		_, err = b.Pool.Exec(t.Context(), "update line_refunds set refunded = "+beyond)
		require.ErrorContains(t, err, "line_refunds_paid")
	}
}

// A return that will end without effect bears the outbound shipping no more, from the moment at which its end is registered:
// its lines may be claimed anew before it shows that end, and otherwise nobody would be charged.
func TestWayOut_endRegistered(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	fail := claim.Values{Result: claim.Fail, Memo: "오염"}
	event := func(decide func(*claim.Claim, time.Time) claim.Decision) store.Deciding {
		return func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
			return decide(c, now.AddDate(1, 0, 0))
		}
	}
	for name, row := range map[string]struct {
		pieces  int64
		before  []claim.Trigger
		end     store.Deciding
		feeThen int64
	}{
		"withdrawn": {2, nil, event((*claim.Claim).Withdraw), 6000},
		"rejected":  {2, nil, deciding(claim.Reject, claim.Values{Memo: "단순 변심 불가"}), 6000},
		"expired":   {1, nil, event((*claim.Claim).ExpirePayment), 6000}, // a shortfall is to be paid
		"failed":    {2, []claim.Trigger{claim.Approve, claim.Pickup, claim.CollectDone}, deciding(claim.Inspect, fail), 6000},
		"passed":    {2, []claim.Trigger{claim.Approve, claim.Pickup, claim.CollectDone}, deciding(claim.Inspect, pass), 3000},
	} {
		w := wanted(seller, claim.Return)
		w.OrderNo, w.Reason, w.Items[0].Quantity = "O-"+name, claim.ChangeOfMind, row.pieces
		c, err := b.openSold(t, w, 0, 0)
		require.NoError(t, err)
		require.Equal(t, int64(6000), c.Money.Fee, name)
		for _, action := range row.before {
			c = b.act(t, c, action, map[claim.Trigger]claim.Values{claim.Pickup: hanjin}[action])
		}
		c = b.change(t, c, row.end)
		require.NotNil(t, c.Performed.Pending(), name)
		w.No = uuid.NewString()
		next, err := b.openSold(t, w, 0, 0)
		require.NoError(t, err)
		require.Equal(t, row.feeThen, next.Money.Fee, name)
	}
}

// The outbound shipping was paid once: customers who return a free shipment in several claims, even concurrently, are charged
// for it once, and again only after the claim that was charged has ended without effect.
func TestWayOut_chargedOnceInRace(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	byBuyer := func(kind claim.Type) claim.Wanted {
		w := wanted(seller, kind)
		w.OrderNo, w.Reason = "O-1", claim.ChangeOfMind
		w.Items[0].ExchangeUnitPrice = 0
		return w
	}
	exchange, err := b.openSold(t, byBuyer(claim.Exchange), 0, 0)
	require.NoError(t, err)
	b.change(t, exchange, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return c.PayShortfall("P-1", c.Money.Shortfall, now)
	})
	claims, failures := make([]claim.Claim, 6), make([]error, 6)
	var wg sync.WaitGroup
	for i := range claims {
		wg.Go(func() {
			if i == 0 {
				claims[i], failures[i] = b.convert(t, exchange, "R-1")
				return
			}
			claims[i], failures[i] = b.openSold(t, byBuyer(claim.Return), 0, 0)
		})
	}
	wg.Wait()
	fees := make([]int64, 0, len(claims))
	var paying claim.Claim
	for i, c := range claims {
		require.NoError(t, failures[i])
		if fees = append(fees, c.Money.Fee); c.Money.WayOut > 0 {
			paying = c
		}
	}
	slices.Sort(fees)
	require.Equal(t, []int64{3000, 3000, 3000, 3000, 3000, 6000}, fees)
	require.Equal(t, int64(3000), paying.Money.WayOut)

	next := func() int64 {
		c, err := b.openSold(t, byBuyer(claim.Return), 0, 0)
		require.NoError(t, err)
		return c.Money.Fee
	}
	require.Equal(t, int64(3000), next())
	b.change(t, paying, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision { return c.Withdraw(now) })
	b.change(t, paying, confirming(claim.Withdraw))
	require.Equal(t, []int64{6000, 3000}, []int64{next(), next()})
	elsewhere := byBuyer(claim.Return)
	elsewhere.OrderNo = "O-2"
	other, err := b.openSold(t, elsewhere, 0, 0)
	require.NoError(t, err)
	require.Equal(t, int64(6000), other.Money.Fee)
}

// A return that replaces an exchange begins like any other, with the seller's clock locked: what other claims have charged for
// outbound shipping cannot change before the return exists.
func TestConvert_takesTheClockBeforeItQuotes(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c := b.openOne(t, seller, claim.Exchange)
	b.change(t, c, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return c.RegisterConversion("R-1", "kim", now)
	})
	_, err := b.store.Convert(t.Context(), seller, c.No, "R-1",
		func(c *claim.Claim, policy claim.Policy, _ claim.Undone, now time.Time) claim.Conversion {
			_, taken := b.Pool.Exec(t.Context(), "select last from seller_clock where seller_id = $1 for update nowait", seller)
			require.ErrorContains(t, taken, "could not obtain lock")
			return c.Convert(policy, around, now)
		})
	require.NoError(t, err)
}

// Shipping is refunded if an earlier claim was the seller's fault, even though the last one is the customer's.
func TestChange_shippingForAnEarlierFault(t *testing.T) {
	t.Parallel()
	for _, first := range []claim.Reason{claim.OutOfStock, claim.ChangeOfMind} {
		b, seller := setup(t), uuid.New()
		one, rest := wanted(seller, claim.Return), wanted(seller, claim.Return)
		one.Reason, rest.Reason, rest.OrderNo, rest.Items[0].Quantity = first, claim.ChangeOfMind, one.OrderNo, 1
		shipping := map[claim.Reason]int64{claim.OutOfStock: 3000}[first]
		require.Equal(t, []int64{0, shipping}, []int64{shippingOf(t, b, one), shippingOf(t, b, rest)})
	}
}

func shippingOf(t *testing.T, b fixture, w claim.Wanted) int64 {
	t.Helper()
	c := b.open(t, w)
	for _, step := range []store.Deciding{
		deciding(claim.Approve, claim.Values{}), confirming(claim.Approve), deciding(claim.Pickup, hanjin), confirming(claim.Pickup),
		deciding(claim.CollectDone, claim.Values{}), confirming(claim.CollectDone),
		deciding(claim.Inspect, pass), confirming(claim.Inspect),
	} {
		c = b.change(t, c, step)
	}
	return c.Money.Shipping
}
