package claim_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/claims/internal/claim"
)

func amount(n int64) *int64 { return &n }

func quoted(t *testing.T, kind claim.Type, reason claim.Reason, pieces, newUnit, shippingPaid int64,
	line claim.Line,
) claim.Money {
	t.Helper()
	w := wanted(kind, reason)
	w.Items[0].Quantity, w.Items[0].ExchangeUnitPrice = pieces, newUnit
	line.ItemID = itemID
	delivered := now
	line.DeliveredAt = &delivered
	change, err := claim.Open(w, claim.Held{Lines: []claim.Line{line}, ShippingPaid: shippingPaid}, claim.DefaultPolicy(claim.Won),
		claim.DefaultPeriods(), now)
	require.NoError(t, err)
	return change.Next.Money
}

func TestQuotes(t *testing.T) {
	t.Parallel()
	line := claim.Line{Quantity: 3, UnitPrice: 4000, Paid: 10000} // 4,000 each, 2,000 discount
	for _, c := range []struct {
		what                         string
		kind                         claim.Type
		reason                       claim.Reason
		pieces, newUnit, shipping    int64
		goods, fee, diff, shortfalls int64
	}{
		{"cancel costs nothing, no matter who is at fault", claim.Cancel, claim.ChangeOfMind, 1, 0, 3000, 3333, 0, 0, 0},
		{"two of three pieces", claim.Cancel, claim.OutOfStock, 2, 0, 3000, 6666, 0, 0, 0},
		{"all pieces", claim.Cancel, claim.OutOfStock, 3, 0, 3000, 10000, 0, 0, 0},
		{"return by the buyer: the way back", claim.Return, claim.ChangeOfMind, 3, 0, 3000, 10000, 3000, 0, 0},
		{"return by the buyer after free shipping: both ways", claim.Return, claim.Other, 3, 0, 0, 10000, 6000, 0, 0},
		{"return by the seller", claim.Return, claim.Defective, 3, 0, 0, 10000, 0, 0, 0},
		{"return worth less than its fee", claim.Return, claim.ChangeOfMind, 1, 0, 0, 3333, 6000, 0, 2667},
		{"exchange by the buyer: both ways", claim.Exchange, claim.ChangeOfMind, 1, 0, 3000, 3333, 6000, 0, 6000},
		{"exchange by the seller at the same price", claim.Exchange, claim.WrongDelivery, 1, 4000, 3000, 3333, 0, 0, 0},
		{"exchange for something dearer", claim.Exchange, claim.WrongDelivery, 2, 5000, 3000, 6666, 0, 2000, 2000},
		{"exchange for something cheaper", claim.Exchange, claim.WrongDelivery, 2, 3000, 3000, 6666, 0, -2000, 0},
		{"cheaper by more than was paid", claim.Exchange, claim.WrongDelivery, 3, 1, 3000, 10000, 0, -10000, 0},
		{"cheaper, but by less than the fee", claim.Exchange, claim.ChangeOfMind, 1, 1000, 3000, 3333, 6000, -3000, 3000},
		{
			"as dear as a line can be", claim.Exchange, claim.Defective, 2, 500_000_000_000, 3000, 6666, 0,
			999_999_992_000, 999_999_992_000,
		},
	} {
		m := quoted(t, c.kind, c.reason, c.pieces, c.newUnit, c.shipping, line)
		require.Equal(t, []int64{c.goods, c.fee, c.diff, c.shortfalls}, []int64{m.Goods, m.Fee, m.Difference, m.Shortfall}, c.what)
		require.Nil(t, m.Refund, c.what)
	}
}

func fixed(t *testing.T, c claim.Claim, undone claim.Undone) claim.Change {
	t.Helper()
	action, values := claim.Inspect, pass
	if c.Type == claim.Cancel {
		action, values = claim.Approve, claim.Values{}
	} else {
		c.Status = claim.Collected
	}
	with := claim.Surroundings{Periods: around.Periods, Undone: undone}
	d := claim.Decide(&c, claim.Command{Action: action, Values: values, Actor: seller}, now)
	require.Equal(t, claim.Execute, d.Verdict)
	return d.Change.Next.Confirm(*d.Change.Next.Performed.Pending(), nil, with, now).Change
}

func TestRefundsAreFixedOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		what     string
		kind     claim.Type
		money    claim.Money
		reason   claim.Reason
		undone   claim.Undone
		refund   *int64
		shipping int64
	}{
		{
			"a part of a cancel", claim.Cancel,
			claim.Money{Goods: 5000, ShippingPaid: 3000, SellerQuantity: 2},
			claim.ChangeOfMind,
			claim.Undone{},
			amount(5000), 0,
		},
		{
			"everything canceled before shipping", claim.Cancel,
			claim.Money{Goods: 5000, ShippingPaid: 3000, SellerQuantity: 1},
			claim.ChangeOfMind,
			claim.Undone{},
			amount(8000), 3000,
		},
		{
			"the last of several cancels", claim.Cancel,
			claim.Money{Goods: 5000, ShippingPaid: 3000, SellerQuantity: 4},
			claim.ChangeOfMind,
			claim.Undone{Canceled: 3, Total: 3},
			amount(8000), 3000,
		},
		{
			"a cancel after a return", claim.Cancel,
			claim.Money{Goods: 5000, ShippingPaid: 3000, SellerQuantity: 4},
			claim.ChangeOfMind,
			claim.Undone{Canceled: 2, Total: 3},
			amount(5000), 0,
		},
		{
			"the last return by the seller's fault", claim.Return,
			claim.Money{Goods: 5000, ShippingPaid: 3000, SellerQuantity: 2},
			claim.Defective,
			claim.Undone{Total: 1},
			amount(8000), 3000,
		},
		{
			"the last return by the buyer's fault, the seller's before", claim.Return,
			claim.Money{Goods: 5000, Fee: 3000, ShippingPaid: 3000, SellerQuantity: 2},
			claim.Other,
			claim.Undone{Total: 1, SellerFault: true},
			amount(5000), 3000,
		},
		{
			"the last return by the buyer's fault", claim.Return,
			claim.Money{Goods: 5000, Fee: 3000, ShippingPaid: 3000, SellerQuantity: 2},
			claim.Other,
			claim.Undone{Total: 1},
			amount(2000), 0,
		},
		{
			"a return with something left", claim.Return,
			claim.Money{Goods: 5000, ShippingPaid: 3000, SellerQuantity: 3},
			claim.Defective,
			claim.Undone{Total: 1},
			amount(5000), 0,
		},
		{
			"quantity of the seller's part not known", claim.Return,
			claim.Money{Goods: 5000, ShippingPaid: 3000},
			claim.Defective,
			claim.Undone{},
			amount(5000), 0,
		},
		{
			"a return whose shortfall was paid", claim.Return,
			claim.Money{Goods: 2000, Fee: 6000, Shortfall: 4000, ShortfallPaid: 4000},
			claim.Other,
			claim.Undone{},
			amount(0), 0,
		},
		{"nothing was paid for the goods", claim.Cancel, claim.Money{SellerQuantity: 9}, claim.Other, claim.Undone{}, amount(0), 0},
		{"an exchange at the same price", claim.Exchange, claim.Money{Goods: 5000}, claim.Defective, claim.Undone{}, nil, 0},
		{
			"an exchange for something cheaper", claim.Exchange,
			claim.Money{Goods: 5000, Difference: -1500},
			claim.Defective,
			claim.Undone{},
			amount(1500), 0,
		},
		{
			"cheaper, less the fee", claim.Exchange,
			claim.Money{Goods: 9000, Difference: -7000, Fee: 6000},
			claim.Other,
			claim.Undone{},
			amount(1000), 0,
		},
		{
			"cheaper, all eaten by the fee", claim.Exchange,
			claim.Money{Goods: 9000, Difference: -6000, Fee: 6000},
			claim.Other,
			claim.Undone{},
			nil, 0,
		},
		{
			"an exchange whose shortfall was paid", claim.Exchange,
			claim.Money{Goods: 9000, Difference: 500, Shortfall: 500, ShortfallPaid: 500},
			claim.Defective,
			claim.Undone{},
			nil, 0,
		},
		{
			"an exchange never gives shipping back", claim.Exchange,
			claim.Money{Goods: 9000, ShippingPaid: 3000, SellerQuantity: 1},
			claim.Defective,
			claim.Undone{},
			nil, 0,
		},
	} {
		start := in(t, c.kind, claim.Requested)
		start.Money, start.Reason = c.money, c.reason
		change := fixed(t, start, c.undone)
		require.Equal(t, c.refund, change.Next.Money.Refund, c.what)
		require.Equal(t, c.shipping, change.Next.Money.Shipping, c.what)
		if c.refund == nil || *c.refund == 0 {
			require.Empty(t, change.Refunds, c.what)
			continue
		}
		require.Len(t, change.Refunds, 1, c.what)
		require.Equal(t, *c.refund, change.Refunds[0].Amount, c.what)
		require.Equal(t, claim.MainRefund, change.Refunds[0].Kind, c.what)
		require.Contains(t, change.Steps, claim.PayRefunds, c.what)
	}
}

// A request is checked before any lines are held, and every wrong field is reported.
func TestRequest_checkedBeforeHold(t *testing.T) {
	t.Parallel()
	require.NoError(t, wanted(claim.Exchange, claim.Other).Check())
	bad := claim.Wanted{Type: "swap", Reason: "boredom"}
	require.Equal(t, []string{"type", "reason_code", "items"}, fields(t, bad.Check()))
	w := wanted(claim.Exchange, claim.Other)
	w.Items = []claim.WantedItem{{ItemID: itemID}, {ItemID: itemID, Quantity: 1, ExchangeOptionName: "L", ExchangeUnitPrice: -1}}
	require.Equal(t, []string{
		"items[0].quantity", "items[0].exchange_option_name", "items[1].item_id", "items[1].exchange_unit_price",
	}, fields(t, w.Check()))
}

// The largest amount of a line bounds the price by the quantity, however large both are.
func TestRequest_exchangePriceBounded(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		price, quantity int64
		refused         []string
	}{
		{claim.MaxAmount, 1, nil},
		{claim.MaxAmount + 1, 1, []string{"items[0].exchange_unit_price"}},
		{1, claim.MaxAmount, nil},
		{1, claim.MaxAmount + 1, []string{"items[0].exchange_unit_price"}},
		{0, math.MaxInt64, nil},
		{math.MaxInt64, math.MaxInt64, []string{"items[0].exchange_unit_price"}},
		{1 << 32, 1 << 32, []string{"items[0].exchange_unit_price"}},
		{claim.MaxAmount + 1, 0, []string{"items[0].quantity", "items[0].exchange_unit_price"}},
		{math.MinInt64, math.MaxInt64, []string{"items[0].exchange_unit_price"}},
	} {
		w := wanted(claim.Exchange, claim.Other)
		w.Items[0].ExchangeUnitPrice, w.Items[0].Quantity = row.price, row.quantity
		if row.refused == nil {
			require.NoError(t, w.Check(), row)
			continue
		}
		require.Equal(t, row.refused, fields(t, w.Check()), row)
	}
}

func fields(t *testing.T, err error) []string {
	t.Helper()
	require.ErrorIs(t, err, apierr.ValidationError)
	problems, ok := apierr.From(err).Data["errors"].([]apierr.FieldError)
	require.True(t, ok)
	names := make([]string, 0, len(problems))
	for _, problem := range problems {
		names = append(names, problem.Field)
	}
	return names
}

// A request for lines that were delivered too long ago or not at all, or for too many pieces, is refused; inconsistent facts
// are an internal error.
func TestRequest_forbiddenByFacts(t *testing.T) {
	t.Parallel()
	open := func(kind claim.Type, change func(*claim.Wanted, *claim.Held)) error {
		w, h := wanted(kind, claim.Defective), held()
		change(&w, &h)
		_, err := claim.Open(w, h, claim.DefaultPolicy(claim.Won), claim.DefaultPeriods(), now)
		return err
	}
	late, last := now.Add(-7*24*time.Hour-time.Microsecond), now.Add(-7*24*time.Hour)
	require.ErrorIs(t, open(claim.Return, func(_ *claim.Wanted, h *claim.Held) { h.Lines[0].DeliveredAt = &late }),
		apierr.ClaimNotApprovable)
	require.ErrorIs(t, open(claim.Exchange, func(_ *claim.Wanted, h *claim.Held) { h.Lines[0].DeliveredAt = nil }),
		apierr.ClaimNotApprovable)
	require.NoError(t, open(claim.Return, func(_ *claim.Wanted, h *claim.Held) { h.Lines[0].DeliveredAt = &last }))
	require.NoError(t, open(claim.Cancel, func(_ *claim.Wanted, h *claim.Held) { h.Lines[0].DeliveredAt = nil }))
	require.ErrorIs(t, open(claim.Cancel, func(w *claim.Wanted, _ *claim.Held) { w.Items[0].Quantity = 3 }),
		apierr.ClaimNotApprovable)
	for _, nonsense := range []func(*claim.Wanted, *claim.Held){
		func(_ *claim.Wanted, h *claim.Held) { h.Lines = nil },
		func(_ *claim.Wanted, h *claim.Held) { h.Lines[0].ItemID = uuid.New() },
		func(_ *claim.Wanted, h *claim.Held) { h.Lines[0].Quantity = 0 },
		func(_ *claim.Wanted, h *claim.Held) { h.Lines[0].Paid = -1 },
	} {
		err := open(claim.Cancel, nonsense)
		require.Error(t, err)
		require.Equal(t, apierr.Internal, apierr.From(err).Code)
	}
}

// A request that arrives late must not shorten the customer's period for requests, nor lengthen the period for payment.
func TestRequest_reportedLate(t *testing.T) {
	t.Parallel()
	asked, later := now.Add(-80*time.Hour), now.Add(time.Minute)
	open := func(at *time.Time, delivered time.Time) (claim.Claim, error) {
		w, h := wanted(claim.Exchange, claim.ChangeOfMind), held()
		w.RequestedAt, h.Lines[0].DeliveredAt = at, &delivered
		change, err := claim.Open(w, h, claim.DefaultPolicy(claim.Won), claim.DefaultPeriods(), now)
		return change.Next, err
	}
	c, err := open(&asked, asked.Add(-7*24*time.Hour))
	require.NoError(t, err)
	require.Equal(t, asked, c.RequestedAt)
	require.Equal(t, asked.Add(72*time.Hour), *c.PaymentDueAt)
	require.Equal(t, claim.Execute, c.ExpirePayment(now).Verdict)

	_, err = open(nil, asked.Add(-7*24*time.Hour))
	require.ErrorIs(t, err, apierr.ClaimNotApprovable)
	c, err = open(&later, now.Add(-time.Hour))
	require.NoError(t, err)
	require.Equal(t, now, c.RequestedAt, "no request lies in the future")
}

// No claim can be requested before the order is paid, and no return before the last of its goods was delivered.
func TestRequest_notBeforePaymentOrDelivery(t *testing.T) {
	t.Parallel()
	paid, first, last := now.Add(-90*time.Hour), now.Add(-50*time.Hour), now.Add(-30*time.Hour)
	ago := func(back time.Duration) *time.Time { at := now.Add(-back); return &at }
	for _, row := range []struct {
		what  string
		kind  claim.Type
		paid  time.Time
		asked *time.Time
		want  time.Time
	}{
		{"no time given", claim.Return, paid, nil, now},
		{"in the future", claim.Return, paid, ago(-time.Hour), now},
		{"after the last delivery", claim.Return, paid, ago(29 * time.Hour), now.Add(-29 * time.Hour)},
		{"at the last delivery", claim.Exchange, paid, &last, last},
		{"between the deliveries", claim.Exchange, paid, ago(40 * time.Hour), last},
		{"before the payment", claim.Return, paid, ago(100 * time.Hour), last},
		{"zero time", claim.Return, paid, &time.Time{}, last},
		{"cancel between payment and delivery", claim.Cancel, paid, ago(60 * time.Hour), now.Add(-60 * time.Hour)},
		{"cancel before the payment", claim.Cancel, paid, ago(100 * time.Hour), paid},
		{"paid by a clock that is ahead", claim.Cancel, now.Add(time.Minute), ago(time.Hour), now},
	} {
		w, h := wanted(row.kind, claim.ChangeOfMind), held()
		second := uuid.New()
		w.RequestedAt = row.asked
		w.Items = append(w.Items, claim.WantedItem{ItemID: second, Quantity: 1, ExchangeOptionName: "L"})
		h.PaidAt, h.Lines = row.paid, append(h.Lines, h.Lines[0])
		h.Lines[0].DeliveredAt, h.Lines[1].DeliveredAt, h.Lines[1].ItemID = &last, &first, second
		change, err := claim.Open(w, h, claim.DefaultPolicy(claim.Won), claim.DefaultPeriods(), now)
		require.NoError(t, err, row.what)
		require.Equal(t, row.want, change.Next.RequestedAt, row.what)
		if due := change.Next.PaymentDueAt; due != nil {
			require.Equal(t, row.want.Add(72*time.Hour), *due, "%s: the time to pay counts from then", row.what)
		}
	}
}

// A new claim has the items, money, state and times of its request.
func TestRequest_opensWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	w := wanted(claim.Exchange, claim.Defective)
	w.Items[0].ExchangeUnitPrice = 5500
	change, err := claim.Open(w, held(), claim.DefaultPolicy(claim.Won), claim.DefaultPeriods(), now)
	require.NoError(t, err)
	require.Equal(t, []claim.Item{{
		ItemID: itemID, ItemCode: "O-1-01", Quantity: 1, ProductName: "Shirt", OptionName: "Red / M",
		ExchangeOptionName: "Blue / L", ExchangeUnitPrice: 5500, Goods: 4999, Difference: 500,
	}}, change.Next.Items)
	require.Equal(t, claim.PaymentPending, change.Next.Status)
	require.Equal(t, []claim.Status{claim.PaymentPending}, change.Path)
	require.Equal(t, now, change.Next.RequestedAt)
	require.Equal(t, claim.Request, change.Trigger)
}
