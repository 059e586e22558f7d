package claim

import (
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
)

// Wanted is a customer's request for a claim.
type Wanted struct {
	No, OrderNo string
	SellerID    uuid.UUID
	Type        Type
	Reason      Reason
	Items       []WantedItem
	// RequestedAt is the time of the request, if reported later; nil or a future time means now. It is raised to the payment of the
	// order, and for a return or an exchange to the delivery of the last line.
	RequestedAt *time.Time `json:",omitempty"`
}

// WantedItem is the quantity of one line to be claimed.
type WantedItem struct {
	ItemID   uuid.UUID
	Quantity int64
	// Exchange only: the option that the customer wants and its unit price, see [ExchangePrices]; 0 if it costs the same. Price
	// times quantity is at most MaxAmount.
	ExchangeOptionName string
	ExchangeUnitPrice  int64
	// ExchangeListPrice is the list price of one piece of the option; 0: that of the claimed line. At most MaxAmount.
	ExchangeListPrice int64 `json:",omitempty"`
}

// Held is the answer of the orders service when it held the lines for the claim.
type Held struct {
	// Lines are in the order of Wanted.Items.
	Lines []Line
	// PaidAt is when the order was paid.
	PaidAt time.Time
	// ShippingPaid is the amount that the customer paid for shipping this seller's part; SellerQuantity the number of its pieces at
	// purchase, 0 if unknown.
	ShippingPaid, SellerQuantity int64
	// ShippingPoints is the part of ShippingPaid that was paid with points.
	ShippingPoints int64
	// Currency is that of all amounts.
	Currency string
}

// Line is the current state of a line. Amounts are for the whole line.
type Line struct {
	ItemID                  uuid.UUID
	ItemCode                string
	ProductName, OptionName string
	Quantity                int64
	UnitPrice, Paid         int64
	// Points is the part of Paid that was paid with points.
	Points      int64
	DeliveredAt *time.Time
}

// Check returns VALIDATION_ERROR with every problem of a malformed request. It is called before lines are held.
func (w Wanted) Check() error {
	var problems invalid.Problems
	if !slices.Contains(Types(), w.Type) {
		problems.NotAllowed("type", invalid.Names(Types())...)
	}
	if !slices.Contains(Reasons(), w.Reason) {
		problems.NotAllowed("reason_code", invalid.Names(Reasons())...)
	}
	if len(w.Items) == 0 {
		problems.Add("items", apierr.FieldTooFew, "must have at least 1 element")
	}
	seen := map[uuid.UUID]bool{}
	for i, item := range w.Items {
		item.check(&problems, fmt.Sprintf("items[%d].", i), w.Type, seen[item.ItemID])
		seen[item.ItemID] = true
	}
	return problems.Err()
}

// check adds the problems of one item of a request of the type. repeated is set when an earlier item has the same line; at is the
// path of the item.
func (w WantedItem) check(problems *invalid.Problems, at string, t Type, repeated bool) {
	if w.Quantity < 1 {
		problems.Add(at+"quantity", apierr.FieldRange, "must be at least 1")
	}
	if repeated {
		problems.Add(at+"item_id", apierr.FieldRepeated, "occurs more than once in items")
	}
	if t == Exchange && w.ExchangeOptionName == "" {
		problems.Add(at+"exchange_option_name", apierr.FieldRequired, "is required for an exchange")
	}
	if price := w.ExchangeUnitPrice; price < 0 {
		problems.Add(at+"exchange_unit_price", apierr.FieldRange, "must not be negative")
	} else if exceeds(price, max(1, w.Quantity)) {
		problems.Add(at+"exchange_unit_price", apierr.FieldRange,
			fmt.Sprintf("times the quantity must not be more than %d", int64(MaxAmount)))
	}
	problems.Number(at+"exchange_list_price", w.ExchangeListPrice, 0, MaxAmount)
}

// Open returns the opening of a claim whose lines are held. Its state is requested, or payment_pending if the customer first
// has to pay the amount by which fees and price difference exceed the refund. CLAIM_NOT_APPROVABLE with a reason when a
// quantity exceeds its line's (quantity) or the request is too late (request_period); the caller must then release the lines.
func Open(w Wanted, held Held, policy Policy, periods Periods, now time.Time) (Change, error) {
	asked := w.asked(held, now)
	items, err := w.items(held, periods, asked)
	if err != nil {
		return Change{}, err
	}
	c := Claim{
		No: w.No, OrderNo: w.OrderNo, SellerID: w.SellerID, Type: w.Type, Status: Requested, Reason: w.Reason,
		Items: items, RequestedAt: asked,
	}
	shipping := Money{ShippingPaid: held.ShippingPaid, ShippingPoints: held.ShippingPoints, SellerQuantity: held.SellerQuantity}
	c.Money = quote(w.Type, c.Fault(), items, shipping, policy)
	if c.Money.Shortfall > 0 {
		due := asked.Add(periods.Payment)
		c.Status, c.PaymentDueAt = PaymentPending, &due
	}
	return Change{
		Trigger: Request, Actor: Actor{Kind: ByCustomer}, At: now,
		Next: c, Path: []Status{c.Status}, Claimed: held.claimed(),
	}, nil
}

func (h *Held) claimed() []LineAmount {
	amounts := make([]LineAmount, 0, len(h.Lines))
	for i := range h.Lines {
		amounts = append(amounts, LineAmount{ItemID: h.Lines[i].ItemID, Amount: h.Lines[i].Paid})
	}
	return amounts
}

// asked returns the time of the customer's request, limited to the possible range if it was reported later.
func (w Wanted) asked(held Held, now time.Time) time.Time {
	if w.RequestedAt == nil {
		return now
	}
	asked := *w.RequestedAt
	for _, before := range w.follows(held) {
		if before != nil && asked.Before(*before) {
			asked = *before
		}
	}
	if asked.After(now) {
		return now
	}
	return asked
}

// follows returns the times of the events that must precede the request; nil for unknown times.
func (w Wanted) follows(held Held) []*time.Time {
	times := []*time.Time{&held.PaidAt}
	if w.Type == Cancel {
		return times
	}
	for _, line := range held.Lines {
		times = append(times, line.DeliveredAt)
	}
	return times
}

func (w Wanted) items(held Held, periods Periods, asked time.Time) ([]Item, error) {
	if len(held.Lines) != len(w.Items) {
		return nil, fmt.Errorf("claim %s: %d lines held for %d items", w.No, len(held.Lines), len(w.Items))
	}
	items := make([]Item, 0, len(w.Items))
	for i, wanted := range w.Items {
		line := held.Lines[i]
		switch {
		case line.ItemID != wanted.ItemID || line.Quantity < 1 || line.Paid < 0 || line.Points < 0 || line.Points > line.Paid:
			return nil, fmt.Errorf("claim %s: the data of item %d belong to another item", w.No, i)
		case wanted.Quantity > line.Quantity:
			return nil, apierr.ClaimNotApprovable.With(map[string]any{"reason": "quantity"})
		case w.Type != Cancel && !inTime(line.DeliveredAt, periods.Request, asked):
			return nil, apierr.ClaimNotApprovable.With(map[string]any{"reason": "request_period"})
		}
		items = append(items, wanted.item(w.Type, line))
	}
	return items, nil
}

func (w WantedItem) item(kind Type, line Line) Item {
	item := Item{
		ItemID: line.ItemID, ItemCode: line.ItemCode, Quantity: w.Quantity,
		ProductName: line.ProductName, OptionName: line.OptionName,
		Goods: proportion(line.Paid, w.Quantity, line.Quantity), Points: proportion(line.Points, w.Quantity, line.Quantity),
	}
	if kind == Exchange {
		item.ExchangeOptionName, item.ExchangeListPrice = w.ExchangeOptionName, w.ExchangeListPrice
		item.ExchangeUnitPrice = w.ExchangeUnitPrice
		item.Difference = ExchangePrices(line.UnitPrice, w.ExchangeUnitPrice, w.Quantity, item.Goods).Paid - item.Goods
	}
	return item
}

// inTime reports whether a return or an exchange was requested in time. Undelivered goods cannot be returned.
func inTime(deliveredAt *time.Time, period time.Duration, asked time.Time) bool {
	return deliveredAt != nil && !asked.After(deliveredAt.Add(period))
}
