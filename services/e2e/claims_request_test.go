package e2e

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

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
