package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

var terminal = map[string]bool{"canceled": true, "returned": true, "exchanged": true}

// books follow one order of a seller through claims on parts of it, and check every step against the lines as they were when
// they were created.
type books struct {
	*session
	placed  *ordersv1.Order
	orderNo string
	// origins are the lines that were not split off by a claim, as they were at first, by code.
	origins map[string]stacktest.Item
	// claims are the numbers of all claims in the order of their requests; prepaid are the shortfalls that were paid for
	// them.
	claims  []string
	prepaid map[string]int64
	last    stacktest.Order
}

func openBooks(t *testing.T, d *session, placed *ordersv1.Order) *books {
	t.Helper()
	d.Place(t, placed)
	b := &books{
		session: d, placed: placed, orderNo: placed.GetOrderNo(), last: d.order(t, placed.GetOrderNo()),
		origins: map[string]stacktest.Item{}, prepaid: map[string]int64{},
	}
	for _, item := range b.last.Items {
		b.origins[item.ItemCode] = item
	}
	return b
}

func (b *books) request(t *testing.T, kind string, item stacktest.Item, pieces int64, options ...stacktest.ClaimOption) stacktest.Claim {
	t.Helper()
	request := stacktest.NewClaim(kind, b.placed)
	request.Items = request.GetItems()[:1]
	request.Items[0].ItemId, request.Items[0].Quantity = item.ItemID, pieces
	for _, option := range options {
		option(request)
	}
	if _, missing := b.RequestClaim(t, request); missing > 0 {
		b.PayShortfall(t, request.GetClaimNo(), missing)
		b.prepaid[request.GetClaimNo()] = missing
	}
	b.claims = append(b.claims, request.GetClaimNo())
	return b.client.Claim(t, request.GetClaimNo())
}

// check reads the order and all its claims and checks them against the books: pieces, amounts, codes, ids. It returns the
// order and the claims.
func (b *books) check(t *testing.T) (stacktest.Order, []stacktest.Claim) {
	t.Helper()
	order := b.order(t, b.orderNo)
	claims := make([]stacktest.Claim, 0, len(b.claims))
	for _, no := range b.claims {
		claims = append(claims, b.client.Claim(t, no))
	}
	parts := partsOf(claims)
	for _, item := range order.Items {
		if _, split := parts[item.ItemID]; !split && b.origins[item.ItemCode].ItemID == "" {
			require.True(t, item.IsExchange, "a line of its own is what an exchange created: %v", item)
			b.origins[item.ItemCode] = item
		}
	}
	for code, origin := range b.origins {
		requireWhole(t, order, claims, code, origin)
	}
	requireCodesStay(t, b.last, order)
	requireSums(t, order)
	b.last = order
	return order, claims
}

func partsOf(claims []stacktest.Claim) map[string]string {
	parts := map[string]string{}
	for _, claim := range claims {
		for _, item := range claim.Items {
			if claim.Status == "completed" {
				parts[item.ItemID] = item.ItemCode
			}
		}
	}
	return parts
}

// requireWhole checks that a line together with the parts that claims took from it adds up to the original line, to the last
// piece and won.
func requireWhole(t *testing.T, order stacktest.Order, claims []stacktest.Claim, code string, origin stacktest.Item) {
	t.Helper()
	parts := partsOf(claims)
	var remaining int64
	var sum, whole [3]int64
	for _, item := range order.Items {
		if item.ItemCode == code {
			require.Equal(t, origin.ItemID, item.ItemID, "the remaining line keeps ID and code")
			if !terminal[item.ItemStatus] {
				remaining = item.Quantity
			}
		}
		if item.ItemCode == code || parts[item.ItemID] == code {
			sum[0] += item.LineAmount
			sum[1] += item.DiscountAmount
			sum[2] += item.LinePaidAmount
			require.Equal(t, item.LinePaidAmount, item.LineAmount-item.DiscountAmount)
		}
	}
	whole[0], whole[1], whole[2] = origin.LineAmount, origin.DiscountAmount, origin.LinePaidAmount
	require.Equal(t, whole, sum, "amount, discount and payment of %s", code)
	for _, claim := range claims {
		for _, item := range claim.Items {
			if item.ItemCode == code && claim.Status == "completed" {
				remaining += item.Quantity
			}
		}
	}
	canceledAsExchange := isCanceledReplacement(order, code, claims)
	require.Equal(t, origin.Quantity, remaining+canceledAsExchange, "pieces of %s", code)
}

// isCanceledReplacement returns the quantity of a replacement line that was canceled with its exchange, without a claim of
// its own.
func isCanceledReplacement(order stacktest.Order, code string, claims []stacktest.Claim) int64 {
	parts := partsOf(claims)
	for _, item := range order.Items {
		if _, claimed := parts[item.ItemID]; item.ItemCode == code && item.IsExchange && item.ItemStatus == "canceled" && !claimed {
			return item.Quantity
		}
	}
	return 0
}

// requireCodesStay checks that every line still exists under its code, and that new ones got the next codes.
func requireCodesStay(t *testing.T, was, now stacktest.Order) {
	t.Helper()
	require.GreaterOrEqual(t, len(now.Items), len(was.Items))
	require.GreaterOrEqual(t, now.UpdatedAt, was.UpdatedAt)
	for i, item := range now.Items {
		require.Equal(t, fmt.Sprintf("%s-%02d", now.OrderNo, i+1), item.ItemCode, "codes have no gap")
		if i < len(was.Items) {
			require.Equal(t, was.Items[i].ItemID, item.ItemID)
		}
	}
}

func requireSums(t *testing.T, order stacktest.Order) {
	t.Helper()
	var items, discount, paid int64
	for _, item := range order.Items {
		items, discount, paid = items+item.LineAmount, discount+item.DiscountAmount, paid+item.LinePaidAmount
	}
	require.Equal(t, []int64{items, discount, paid}, []int64{order.SellerItemsAmount, order.SellerDiscountAmount, order.SellerPaidAmount})
}

// One line, claimed piece by piece in three ways: every part is split off with a new id and the next code, the rest keeps
// both, and pieces and money are conserved.
func TestSplitLine_claimedPieceByPiece(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	b := openBooks(t, d, stacktest.NewOrder(d.seller.ID, stacktest.Lines(goods(9, 9901, 1003))))
	b.claimed(t, stacktest.Cancel, 2, "canceled", 7)
	b.claimed(t, stacktest.Cancel, 1, "canceled", 6)
	for _, call := range singleCalls {
		require.Equal(t, call.to, d.done(t, call.action, b.orderNo, call.body(b.last.Items[0].ItemID)).Items[0].ItemStatus)
	}
	b.claimed(t, stacktest.Return, 1, "returned", 5)
	b.claimed(t, stacktest.Exchange, 2, "exchanged", 3)
	d.acted(t, b.request(t, stacktest.Return, b.last.Items[0], 3).ClaimNo, "reject", rejection())
	b.check(t)
	b.claimed(t, stacktest.Return, 2, "returned", 1)
	order, _ := b.check(t)
	require.Equal(t, []string{"delivered", "canceled", "canceled", "returned", "shipping", "exchanged", "returned"}, states(order))
	require.Equal(t, []int64{1, 2, 1, 1, 2, 2, 2}, quantities(order))
	require.Equal(t, "partially_claimed", order.OrderStatus)

	rest := d.advance(t, b.request(t, stacktest.Return, order.Items[0], 1), "completed")
	require.Equal(t, order.Items[0].ItemID, rest.Items[0].ItemID, "the last piece keeps the line's ID")
	order, claims := b.check(t)
	require.Equal(t, "returned", order.Items[0].ItemStatus)
	require.Equal(t, origins(b, "01").LinePaidAmount, refunded(claims)+order.Items[5].LinePaidAmount, "the last claim takes the rest, to the won")
}

func (b *books) claimed(t *testing.T, kind string, pieces int64, status string, left int64) {
	t.Helper()
	before, _ := b.check(t)
	claim := b.request(t, kind, before.Items[0], pieces)
	require.Equal(t, before.Items[0].ItemID, claim.Items[0].ItemID, "nothing is split before the claim completes")
	order, _ := b.check(t)
	require.Len(t, order.Items, len(before.Items))
	require.True(t, order.Items[0].HasActiveClaim)
	claim = b.advance(t, claim, "completed")
	b.awaitOrder(t, b.orderNo, "the line is split", func(o stacktest.Order) bool { return o.Items[0].Quantity == left })
	order, _ = b.check(t)
	part := order.Items[len(order.Items)-1]
	require.Equal(t, []any{before.Items[0].ItemCode, part.ItemID, pieces}, []any{claim.Items[0].ItemCode, claim.Items[0].ItemID, claim.Items[0].Quantity},
		"item_code is the original line's, item_id the split-off line's")
	require.NotEqual(t, before.Items[0].ItemID, part.ItemID)
	require.Equal(t, []any{status, pieces, false, false}, []any{part.ItemStatus, part.Quantity, part.HasActiveClaim, part.IsExchange})
	rest := before.Items[0]
	rest.Quantity, rest.LineAmount = left, order.Items[0].LineAmount
	rest.DiscountAmount, rest.LinePaidAmount = order.Items[0].DiscountAmount, order.Items[0].LinePaidAmount
	require.Equal(t, rest, order.Items[0], "the remaining line is otherwise unchanged")
}

func origins(b *books, number string) stacktest.Item { return b.origins[b.orderNo+"-"+number] }

func refunded(claims []stacktest.Claim) int64 {
	var sum int64
	for _, claim := range claims {
		if claim.RefundAmount != nil {
			sum += *claim.RefundAmount
		}
	}
	return sum
}

func quantities(order stacktest.Order) []int64 {
	all := make([]int64, len(order.Items))
	for i, item := range order.Items {
		all[i] = item.Quantity
	}
	return all
}
