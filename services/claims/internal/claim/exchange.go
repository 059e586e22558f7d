package claim

// Prices are the amounts of some pieces of a line: Amount - Discount = Paid.
type Prices struct{ Amount, Discount, Paid int64 }

// ExchangePrices returns the amounts of the line that replaces some pieces of another one, which cost oldUnit each and goods
// after their discount. newUnit is the unit price of the option that the customer wants; 0: the same. The price difference, which
// is refunded when it is negative and otherwise paid, is what the new line costs more: Paid - goods.
//
// A new line has the price of its option and keeps the discount of the pieces, as far as it does not exceed that price:
//
//	amount   = newUnit × pieces
//	discount = min(discount of the pieces, amount)
//	paid     = amount - discount
//
//	discount is  paid               price difference
//	lower        amount - discount  newUnit × pieces - oldUnit × pieces
//	as high      0                  -goods, the same
//	higher       0                  -goods, which is less than the prices differ
//
// No more is refunded than was paid. What the discount exceeds the amount by lapses, so the next exchange follows from what the
// new line shows. A chain of exchanges of the same pieces ends at max(0, amount - discount) of its last option, like a direct
// exchange, with the discount limited to the cheapest option of the chain.
func ExchangePrices(oldUnit, newUnit, pieces, goods int64) Prices {
	// The unit price of a line whose amount its pieces did not divide was rounded down.
	discount := max(0, oldUnit*pieces-goods)
	if newUnit == 0 {
		return Prices{Amount: goods + discount, Discount: discount, Paid: goods}
	}
	amount := newUnit * pieces
	discount = min(discount, amount)
	return Prices{Amount: amount, Discount: discount, Paid: amount - discount}
}
