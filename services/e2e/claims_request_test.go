package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/timestamp"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// handedOn are values that claims receives with a request and passes to orders later, in part days later, with whether each
// of the services accepts them.
var handedOn = []struct {
	what               string
	change             func(*claimsv1.RequestClaimRequest)
	byClaims, byOrders bool
}{
	{"an option", option("화이트 / L"), true, true},
	{"the longest option", option(strings.Repeat("가", 500)), true, true},
	{"one of large letters", option(strings.Repeat("😀", 500)), true, true},
	{"an odd one", option("\u00a0'\";--\\ \u200b\u2028\u202e é e\u0301 \ufeff\uffff"), true, true},
	{"no option", option(""), false, true},
	{"a blank one", option("\u3164 "), false, true},
	{"a longer one", option(strings.Repeat("가", 501)), false, false},
	{"a tab", option("화이트\tL"), false, false},
	{"two lines", option("화이트\nL"), false, false},
	{"two lines of Windows", option("화이트\r\nL"), false, false},
	{"a bell", option("화이트\u0007L"), false, false},
	{"a deleted letter", option("화이트\u007fL"), false, false},
	{"a next line", option("화이트\u0085L"), false, false},
	{"the dearest goods", price(1_000_000_000_000, 1), true, true},
	{"the dearest goods in pieces", price(1_000_000, 1_000_000), true, true},
	{"dearer ones", price(1_000_000_000_001, 1), false, false},
	{"dearer ones in pieces", price(1_000_001, 1_000_000), false, false},
	{"the longest number", claimNo(strings.Repeat("C", 64)), true, true},
	{"a number with signs", claimNo("C_1.2-3"), true, true},
	{"a number of other letters", claimNo("가"), false, false},
	{"a number with a tab", claimNo("C\t1"), false, false},
	{"no number", claimNo(""), false, false},
	{"a number that is too long to store", claimNo(strings.Repeat("C", 101)), false, false},
}

func option(name string) func(*claimsv1.RequestClaimRequest) {
	return func(r *claimsv1.RequestClaimRequest) { r.Items[0].ExchangeOptionName = name }
}

func price(price, quantity int64) func(*claimsv1.RequestClaimRequest) {
	return func(r *claimsv1.RequestClaimRequest) {
		r.Items[0].ExchangeUnitPrice, r.Items[0].Quantity = price, quantity
	}
}

func claimNo(no string) func(*claimsv1.RequestClaimRequest) {
	return func(r *claimsv1.RequestClaimRequest) { r.ClaimNo = no }
}

// Claims validates a request at once; what orders would refuse at the inspection, claims must refuse at the request,
// because it cannot be corrected afterwards. Both use one table of limits, and this test checks that they agree.
func TestClaimRequest_limitsMatchOrders(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, row := range handedOn {
		request := &claimsv1.RequestClaimRequest{
			ClaimNo: stacktest.NewClaimNo(), SellerId: d.seller.ID, OrderNo: "UNKNOWN", Type: stacktest.Exchange, ReasonCode: "defective",
			Items: []*claimsv1.ClaimItem{{ItemId: uuid.NewString(), Quantity: 1, ExchangeOptionName: "L"}},
		}
		row.change(request)
		_, err := stacktest.Try(t, d.Claims.RequestClaim, request)
		requireTaken(t, row.what, row.byClaims, err, "ORDER_NOT_FOUND")
		item := request.GetItems()[0]
		_, err = stacktest.Try(t, d.Lines.AddExchangeLine, &ordersv1.AddExchangeLineRequest{
			ClaimNo: request.GetClaimNo(), Lines: []*ordersv1.ExchangeLine{{
				ItemId: item.GetItemId(), ExchangeOptionName: item.GetExchangeOptionName(), LinePaidAmount: item.GetExchangeUnitPrice() * item.GetQuantity(),
			}},
		})
		requireTaken(t, row.what, row.byOrders, err, "CLAIM_NOT_FOUND")
		require.False(t, row.byClaims && !row.byOrders, row.what)
	}
}

// requireTaken checks that a call was accepted as well-formed, so that only the resource was not found, or, if taken is
// false, that it was not.
func requireTaken(t *testing.T, what string, taken bool, err error, missing string) {
	t.Helper()
	t.Log(what)
	if !taken {
		missing = "VALIDATION_ERROR"
	}
	requireRefusal(t, err, missing)
}

// The strangest valid option becomes the option of the new line, and the highest valid price its amount.
func TestExchange_extremeValues(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, odd := range []string{strings.Repeat("😀", 500), "\u00a0'\";--\\ \u200b\u2028\u202e é e\u0301 \ufeff\uffff"} {
		order := d.delivered(t, goods(2, 12900, 1000))
		request := stacktest.NewClaim(stacktest.Exchange, order, stacktest.For(odd, 500_000_000_000))
		_, shortfall := d.RequestClaim(t, request)
		require.Equal(t, int64(1_000_000_000_000-25_800), shortfall)
		d.PayShortfall(t, request.GetClaimNo(), shortfall)
		claim := d.advance(t, d.client.Claim(t, request.GetClaimNo()), "completed")
		require.Equal(t, odd, *claim.Items[0].ExchangeOptionName)
		fresh := line(t, d.order(t, claim.OrderNo), "02")
		require.Equal(t, odd, fresh.OptionName)
		require.Equal(t, int64(1_000_000_000_000-1000), fresh.LinePaidAmount, "minus the discount of the original line")
	}
}

// A claim that is reported with an implausibly early time does not sort before its order.
func TestClaimRequest_notOlderThanOrder(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, asked := range []time.Time{timestamp.Earliest, time.Now().Add(-48 * time.Hour)} {
		placed := d.PlaceNew(t, d.seller.ID, stacktest.Claimable(stacktest.Cancel))
		claim := d.claimOn(t, placed, stacktest.Cancel, stacktest.AskedAt(asked))
		require.Equal(t, d.order(t, placed.GetOrderNo()).PaidAt, claim.RequestedAt)
		for _, kind := range []string{stacktest.Return, stacktest.Exchange} {
			placed = d.PlaceNew(t, d.seller.ID, deliveredBefore(24*time.Hour))
			claim = d.claimOn(t, placed, kind, stacktest.AskedAt(asked))
			require.Equal(t, *d.order(t, placed.GetOrderNo()).Items[0].DeliveredAt, claim.RequestedAt, kind)
		}
	}
}
