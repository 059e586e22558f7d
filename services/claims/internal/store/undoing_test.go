package store_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/claims/internal/claim"
)

// undoing is a claim on one of the lines of a part, which together undo all of it.
type undoing struct {
	kind   claim.Type
	reason claim.Reason
}

// The ways to undo a line.
var (
	canceled   = undoing{claim.Cancel, claim.ChangeOfMind}
	regretted  = undoing{claim.Return, claim.ChangeOfMind}
	defective  = undoing{claim.Return, claim.Defective}
	outOfStock = undoing{claim.Cancel, claim.OutOfStock}
)

// undone are parts that are undone by up to four claims, and whether the shipping is refunded: if one is the seller's fault, or
// nothing was shipped.
var undone = []struct {
	claims   []undoing
	shipping int64
}{
	{[]undoing{canceled}, 3000},
	{[]undoing{regretted}, 0},
	{[]undoing{defective}, 3000},
	{[]undoing{canceled, regretted}, 0},
	{[]undoing{canceled, canceled, canceled}, 3000},
	{[]undoing{regretted, defective, canceled}, 3000},
	{[]undoing{regretted, outOfStock, regretted}, 3000},
	{[]undoing{canceled, regretted, regretted, defective}, 3000},
}

// In whatever order the claims finish that undo a part, the customer gets the same money and points, and the shipping with the
// last one: the last one is decided only by what the store keeps of the earlier ones.
func TestRefunds_sameInEveryOrder(t *testing.T) {
	t.Parallel()
	for i, part := range undone {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			var want []int64
			for _, order := range orders(len(part.claims)) {
				got := b.undo(t, part.claims, order, part.shipping)
				if want == nil {
					want = got
				}
				require.Equal(t, want, got, "%v", order)
			}
		})
	}
}

// undo requests claims on a part of its own, finishes them in an order, and returns the refunded money and points. shipping is
// the refunded part of the shipping.
func (b fixture) undo(t *testing.T, claims []undoing, order []int, shipping int64) []int64 {
	t.Helper()
	seller, orderNo := uuid.New(), "O-"+uuid.NewString()
	open := make([]claim.Claim, 0, len(claims))
	for i, u := range claims {
		open = append(open, b.nearlyUndone(t, u, seller, orderNo, i, int64(len(claims))))
	}
	sum := make([]int64, 2)
	for n, i := range order {
		action := map[claim.Type]claim.Trigger{claim.Cancel: claim.Approve, claim.Return: claim.Inspect}[open[i].Type]
		c := b.act(t, open[i], action, map[claim.Trigger]claim.Values{claim.Inspect: pass}[action])
		isLast := n == len(order)-1
		require.Equal(t, map[bool]int64{true: shipping}[isLast], c.Money.Shipping, "%v, claim %d", order, i)
		refunds, err := b.store.Refunds(t.Context(), seller, c.No)
		require.NoError(t, err)
		for _, refund := range refunds {
			sum[0], sum[1] = sum[0]+refund.Amount, sum[1]+refund.Points
		}
	}
	return sum
}

// nearlyUndone returns a claim on a line of its own, shortly before its refund is decided. Lines differ in what was paid for
// them.
func (b fixture) nearlyUndone(t *testing.T, u undoing, seller uuid.UUID, orderNo string, line int, lines int64) claim.Claim {
	t.Helper()
	w := wanted(seller, u.kind)
	w.OrderNo, w.Reason, w.Items[0].Quantity = orderNo, u.reason, 3
	c, err := b.request(t, w, func(policy claim.Policy, now time.Time) (claim.Change, error) {
		held := sold(w, now, 3000, 500)
		held.SellerQuantity = 3 * lines
		held.Lines[0].Paid -= int64(line) * 1001
		return claim.Open(w, held, policy, claim.DefaultPeriods(), now)
	})
	require.NoError(t, err)
	if u.kind == claim.Cancel {
		return c
	}
	for _, action := range []claim.Trigger{claim.Approve, claim.Pickup, claim.CollectDone} {
		c = b.act(t, c, action, map[claim.Trigger]claim.Values{claim.Pickup: hanjin}[action])
	}
	return c
}

func orders(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, shorter := range orders(n - 1) {
		for at := range n {
			all = append(all, append(append(append([]int{}, shorter[:at]...), n-1), shorter[at:]...))
		}
	}
	return all
}
