package claim_test

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/claims/internal/claim"
)

// drawHeld draws a line as the orders service can have it, new or created by an exchange: then its unit price is rounded down,
// and it takes over a discount.
func drawHeld(t *rapid.T) claim.Line {
	delivered := now
	line := claim.Line{ItemID: uuid.New(), Quantity: rapid.Int64Range(1, 1_000_000).Draw(t, "quantity"), DeliveredAt: &delivered}
	line.Paid = rapid.Int64Range(0, claim.MaxAmount).Draw(t, "paid")
	line.UnitPrice = (line.Paid + rapid.Int64Range(0, claim.MaxAmount).Draw(t, "discount")) / line.Quantity
	return line
}

// drawOnLines requests an exchange of pieces of each line: mostly with allowed amounts, sometimes with any numbers.
func drawOnLines(t *rapid.T, lines []claim.Line) claim.Wanted {
	w := claim.Wanted{No: "C-1", Type: claim.Exchange, Reason: rapid.SampledFrom(claim.Reasons()).Draw(t, "reason")}
	wild := rapid.IntRange(0, 3).Draw(t, "wild") == 0
	for _, line := range lines {
		item := claim.WantedItem{
			ItemID: line.ItemID, ExchangeOptionName: "other",
			Quantity: rapid.Int64Range(1, line.Quantity).Draw(t, "pieces"),
		}
		item.ExchangeUnitPrice = rapid.Int64Range(0, claim.MaxAmount/item.Quantity).Draw(t, "price")
		switch kind := rapid.IntRange(0, 3).Draw(t, "kind"); {
		case wild && kind == 0:
			item.ExchangeUnitPrice = rapid.Int64Range(0, math.MaxInt64).Draw(t, "any price")
		case wild && kind == 1:
			item.Quantity = rapid.Int64Range(1, math.MaxInt64).Draw(t, "any quantity")
		case kind == 2:
			item.ExchangeUnitPrice = claim.MaxAmount / item.Quantity
		}
		w.Items = append(w.Items, item)
	}
	return w
}

// Every request is either refused because of its values, or its amounts equal those of unlimited arithmetic, and each resulting
// line is accepted by the orders service.
func TestMoneyNeverOverflows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h := claim.Held{ShippingPaid: 3000, Lines: rapid.SliceOfN(rapid.Custom(drawHeld), 1, 20).Draw(t, "lines")}
		w := drawOnLines(t, h.Lines)
		tooDear := slices.ContainsFunc(w.Items, func(i claim.WantedItem) bool {
			return product(i.ExchangeUnitPrice, i.Quantity).Cmp(big.NewInt(claim.MaxAmount)) > 0
		})
		if err := w.Check(); err != nil {
			require.ErrorIs(t, err, apierr.ValidationError)
			require.True(t, tooDear)
			return
		}
		require.False(t, tooDear)
		change, err := claim.Open(w, h, claim.DefaultPolicy(claim.Won), claim.DefaultPeriods(), now)
		if err != nil {
			require.ErrorIs(t, err, apierr.ClaimNotApprovable)
			require.Equal(t, "quantity", apierr.From(err).Data["reason"])
			return
		}
		requireExact(t, change.Next, w, h)
	})
}

func product(a, b int64) *big.Int { return new(big.Int).Mul(big.NewInt(a), big.NewInt(b)) }

// requireExact computes the amounts of an exchange again, in numbers of unlimited size.
func requireExact(t *rapid.T, c claim.Claim, w claim.Wanted, h claim.Held) {
	goods, difference := new(big.Int), new(big.Int)
	for i, item := range c.Items {
		paid := product(h.Lines[i].Paid, w.Items[i].Quantity)
		paid.Div(paid, big.NewInt(h.Lines[i].Quantity))
		more := new(big.Int)
		if price := w.Items[i].ExchangeUnitPrice; price > 0 {
			dearest := product(h.Lines[i].UnitPrice, w.Items[i].Quantity)
			if dearest.Cmp(paid) < 0 { // a unit price that was rounded down
				dearest = paid
			}
			more.Sub(product(price, w.Items[i].Quantity), dearest)
		}
		if least := new(big.Int).Neg(paid); more.Cmp(least) < 0 {
			more = least
		}
		require.Equal(t, []string{paid.String(), more.String()},
			[]string{strconv.FormatInt(item.Goods, 10), strconv.FormatInt(item.Difference, 10)})
		require.GreaterOrEqual(t, item.Goods+item.Difference, int64(0))
		require.LessOrEqual(t, item.Goods+item.Difference, int64(claim.MaxAmount))
		goods.Add(goods, paid)
		difference.Add(difference, more)
	}
	owed := new(big.Int).Add(difference, big.NewInt(c.Money.Fee))
	if owed.Sign() < 0 {
		owed.SetInt64(0)
	}
	require.Equal(t, []string{goods.String(), difference.String(), owed.String()}, []string{
		strconv.FormatInt(c.Money.Goods, 10), strconv.FormatInt(c.Money.Difference, 10), strconv.FormatInt(c.Money.Shortfall, 10),
	})
}
