package claim_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/services/claims/internal/claim"
)

// The prices of an exchange line for every relation of discount, new price and what was paid: it shows the price of its option,
// and no more is given back than was paid.
func TestExchangePrices(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		what                          string
		oldUnit, newUnit, pieces, had int64
		want                          claim.Prices
		difference                    int64
	}{
		{"no discount, dearer", 5000, 7000, 2, 10_000, claim.Prices{14_000, 0, 14_000}, 4000},
		{"no discount, the same price", 5000, 5000, 2, 10_000, claim.Prices{10_000, 0, 10_000}, 0},
		{"no discount, cheaper", 5000, 3000, 2, 10_000, claim.Prices{6000, 0, 6000}, -4000},
		{"discount below the new price, dearer", 10_000, 12_000, 1, 1000, claim.Prices{12_000, 9000, 3000}, 2000},
		{"discount below the new price, cheaper", 10_000, 9400, 1, 1000, claim.Prices{9400, 9000, 400}, -600},
		{"discount equal to the new price", 10_000, 9000, 1, 1000, claim.Prices{9000, 9000, 0}, -1000},
		{"discount above the new price", 10_000, 5000, 1, 1000, claim.Prices{5000, 5000, 0}, -1000},
		{"discount above the new price, several pieces", 10_000, 5000, 3, 3000, claim.Prices{15_000, 15_000, 0}, -3000},
		{"nothing was paid, cheaper", 5000, 4000, 1, 0, claim.Prices{4000, 4000, 0}, 0},
		{"nothing was paid, the same price", 5000, 5000, 1, 0, claim.Prices{5000, 5000, 0}, 0},
		{"nothing was paid, dearer", 5000, 7000, 1, 0, claim.Prices{7000, 5000, 2000}, 2000},
		{"no price given", 10_000, 0, 1, 1000, claim.Prices{10_000, 9000, 1000}, 0},
		{"no price given, nothing was paid", 10_000, 0, 1, 0, claim.Prices{10_000, 10_000, 0}, 0},
		{"unit price that was rounded down", 1, 2, 3, 5, claim.Prices{6, 0, 6}, 1},
		{"unit price that was rounded down, no price given", 1, 0, 3, 5, claim.Prices{5, 0, 5}, 0},
		{"the largest amount", 1, claim.MaxAmount / 2, 2, 2, claim.Prices{claim.MaxAmount, 0, claim.MaxAmount}, claim.MaxAmount - 2},
	} {
		got := claim.ExchangePrices(row.oldUnit, row.newUnit, row.pieces, row.had)
		require.Equal(t, row.want, got, row.what)
		require.Equal(t, row.difference, got.Paid-row.had, row.what)
	}
}

// exchangedFor exchanges some pieces of a line by the seller's fault. It returns what the customer paid for that, less what was
// given back, and the new line as the orders service creates it.
func exchangedFor(t *rapid.T, line claim.Line, pieces, price int64) (int64, claim.Line) {
	opened, err := claim.Open(claim.Wanted{
		No: uuid.NewString(), Type: claim.Exchange, Reason: claim.Defective,
		Items: []claim.WantedItem{{ItemID: line.ItemID, Quantity: pieces, ExchangeOptionName: "other", ExchangeUnitPrice: price}},
	}, claim.Held{Lines: []claim.Line{line}}, claim.DefaultPolicy(claim.Won), claim.DefaultPeriods(), now)
	require.NoError(t, err)
	c := opened.Next
	paid := c.Money.Shortfall
	c.Status, c.Money.ShortfallPaid = claim.Requested, paid
	change := conclude(t, c, claim.Undone{})
	for _, refund := range change.Refunds {
		paid -= refund.Amount + refund.Points
	}
	require.Equal(t, c.Money.Difference, paid, "the difference is what is paid or given back")
	return paid, newLine(line, &change.Next)
}

// newLine returns the line that an exchange of one line creates.
func newLine(old claim.Line, c *claim.Claim) claim.Line {
	item := c.Items[0]
	fresh := claim.Line{
		ItemID: uuid.New(), Quantity: item.Quantity, UnitPrice: old.UnitPrice, Paid: item.Goods + item.Difference,
		Points: c.ReplacingPoints()[0], DeliveredAt: old.DeliveredAt,
	}
	if item.ExchangeUnitPrice > 0 {
		fresh.UnitPrice = item.ExchangeUnitPrice
	}
	return fresh
}

// Over a chain of exchanges, what was paid, given back and asked for is together what a direct exchange to the last option gives.
// What a discount exceeds the price of an option on the way by is not available any more; nothing else distinguishes the chain.
func TestExchangeChain_likeDirectExchange(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		delivered := now
		first := claim.Line{
			ItemID: uuid.New(), Quantity: rapid.Int64Range(1, 7).Draw(t, "quantity"),
			UnitPrice:   rapid.Int64Range(1, 20_000).Draw(t, "unit"),
			DeliveredAt: &delivered,
		}
		discount := rapid.Int64Range(0, first.UnitPrice*first.Quantity).Draw(t, "discount")
		first.Paid = first.UnitPrice*first.Quantity - discount
		first.Points = rapid.Int64Range(0, first.Paid).Draw(t, "points")
		prices := rapid.SliceOfN(rapid.Int64Range(1, 25_000), 1, 6).Draw(t, "prices")
		line, net := first, first.Paid
		for _, price := range prices {
			paid, fresh := exchangedFor(t, line, line.Quantity, price)
			line, net = fresh, net+paid
			require.Equal(t, line.Paid, net, "what the customer paid in all is what the line shows")
			require.GreaterOrEqual(t, line.UnitPrice*line.Quantity, line.Paid)
		}
		last := prices[len(prices)-1]
		require.Equal(t, last, line.UnitPrice)
		cheapest := slices.Min(prices) * first.Quantity
		limited := first
		limited.Paid += max(0, discount-cheapest)
		change, _ := exchangedFor(t, limited, first.Quantity, last)
		require.Equal(t, limited.Paid+change, net, "a direct exchange with the discount that fits the cheapest option")
		change, _ = exchangedFor(t, first, first.Quantity, last)
		require.GreaterOrEqual(t, net, first.Paid+change, "never less than the direct exchange")
		if discount <= cheapest {
			require.Equal(t, first.Paid+change, net)
		}
	})
}

// However a line is divided by exchanges, each part is a line of its own, and what was paid in all is what the parts show.
func TestExchangeChain_ofParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		delivered := now
		line := claim.Line{
			ItemID: uuid.New(), Quantity: rapid.Int64Range(1, 9).Draw(t, "quantity"),
			UnitPrice:   rapid.Int64Range(1, 20_000).Draw(t, "unit"),
			DeliveredAt: &delivered,
		}
		line.Paid = rapid.Int64Range(0, line.UnitPrice*line.Quantity).Draw(t, "paid")
		lines, net := []claim.Line{line}, line.Paid
		for range rapid.IntRange(1, 8).Draw(t, "exchanges") {
			i := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
			old := lines[i]
			pieces := rapid.Int64Range(1, old.Quantity).Draw(t, "pieces")
			paid, fresh := exchangedFor(t, old, pieces, rapid.Int64Range(0, 25_000).Draw(t, "price"))
			net += paid
			lines[i].Paid -= fresh.Paid - paid
			lines[i].Quantity -= pieces
			lines = append(lines, fresh)
			lines = slices.DeleteFunc(lines, func(l claim.Line) bool { return l.Quantity == 0 })
			var shown int64
			for _, l := range lines {
				require.GreaterOrEqual(t, l.Paid, int64(0))
				require.LessOrEqual(t, l.Paid, l.UnitPrice*l.Quantity, "no line costs more than its pieces")
				shown += l.Paid
			}
			require.Equal(t, net, shown)
		}
	})
}
