package order_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/timestamp"
	"sellerapi.dev/services/orders/internal/order"
)

var (
	noon   = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	seller = uuid.UUID{1}
	other  = uuid.UUID{2}
)

// sound returns a valid order: two sellers, one new line and one that has already been delivered.
func sound() order.Placement {
	company := "가온물류"
	return order.Placement{
		No: "A-100", MemberID: "m-1", Currency: "KRW", PaidAt: noon.Add(-48 * time.Hour),
		Contact: order.Contact{OrdererName: "김민준", RecipientName: "이서연", Address1: "서울", ShipMemo: "문 앞에\n놓아주세요"},
		Parts: []order.Part{
			{SellerID: seller, Lines: []order.Line{{
				ID: uuid.UUID{11}, ProductName: "티셔츠", Quantity: 2, ListPrice: 15_000, UnitPrice: 12_000, Discount: 24_000,
			}}},
			{SellerID: other, Charges: order.Charges{PointUsed: 10, ShippingFeeBase: 3000}, Lines: []order.Line{{
				ProductName: "양말", Quantity: 1, UnitPrice: 0,
				History: []order.StateChange{
					{To: order.Shipping, At: noon.Add(-24 * time.Hour)},
					{To: order.Delivered, At: noon},
				},
				Shipment: &order.SentParcel{CarrierName: "CJ대한통운", TrackingNo: "612345678901", LogisticsCompany: &company},
			}}},
		},
	}
}

func TestASoundPlacementPasses(t *testing.T) {
	t.Parallel()
	paid := sound()
	require.Empty(t, paid.Check("orders[0]", noon))
	ahead := sound()
	ahead.PaidAt, ahead.Parts = noon.Add(order.ClockSlack), ahead.Parts[:1]
	require.Empty(t, ahead.Check("orders[0]", noon), "the marketplace's clock may be a little ahead of ours")
	pending := sound()
	pending.PaidAt, pending.Contact = time.Time{}, order.Contact{}
	pending.Parts = pending.Parts[:1]
	require.Empty(t, pending.Check("orders[0]", noon))
}

// Each row breaks one thing; exactly that must be reported, with the path in the marketplace's request.
func TestCheck_everyFlawAtItsPath(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("가", 501)
	for name, c := range map[string]struct {
		spoil       func(*order.Placement)
		field, code string
	}{
		"no number":             {func(p *order.Placement) { p.No = "" }, "order_no", "malformed"},
		"number in lower case":  {func(p *order.Placement) { p.No = "a-1" }, "order_no", "malformed"},
		"number too long":       {func(p *order.Placement) { p.No = strings.Repeat("A", 51) }, "order_no", "malformed"},
		"number with line feed": {func(p *order.Placement) { p.No = "A\n" }, "order_no", "malformed"},
		"no member":             {func(p *order.Placement) { p.MemberID = "" }, "member_id", "empty"},
		"currency":              {func(p *order.Placement) { p.Currency = "won" }, "currency", "malformed"},
		"paid in the future": {func(p *order.Placement) {
			p.PaidAt = noon.Add(order.ClockSlack + time.Microsecond)
			p.Parts = p.Parts[:1]
		}, "paid_at", "range"},
		"paid before 2000": {func(p *order.Placement) { p.PaidAt = timestamp.Earliest.Add(-1) }, "paid_at", "range"},
		"control character in a name": {
			func(p *order.Placement) { p.Contact.OrdererName = "a\x00b" },
			"contact.orderer_name", "control",
		},
		"memo too long":     {func(p *order.Placement) { p.Contact.ShipMemo = long }, "contact.ship_memo", "too_long"},
		"address not UTF-8": {func(p *order.Placement) { p.Contact.Address2 = "\xff" }, "contact.address2", "encoding"},
		"no seller":         {func(p *order.Placement) { p.Parts = nil }, "sellers", "too_few"},
		"duplicate seller":  {func(p *order.Placement) { p.Parts[1].SellerID = seller }, "sellers[1].seller_id", "repeated"},
		"no seller ID": {
			func(p *order.Placement) { p.Parts[0].SellerID = uuid.UUID{} },
			"sellers[0].seller_id", "malformed",
		},
		"no line": {func(p *order.Placement) { p.Parts[0].Lines = nil }, "sellers[0].lines", "too_few"},
		"too many lines": {func(p *order.Placement) {
			p.Parts[0].Lines = make([]order.Line, order.MaxLines)
		}, "sellers", "too_many"},
		"negative points": {
			func(p *order.Placement) { p.Parts[0].Charges.PointUsed = -1 },
			"sellers[0].point_used_amount", "range",
		},
		"negative fee": {
			func(p *order.Placement) { p.Parts[0].Charges.ShippingFeeBase = -1 },
			"sellers[0].shipping_fee_base", "range",
		},
		"fee too large": {
			func(p *order.Placement) { p.Parts[0].Charges.ShippingFeePaid = order.MaxAmount + 1 },
			"sellers[0].shipping_fee_paid", "range",
		},
		"duplicate item": {
			func(p *order.Placement) { p.Parts[1].Lines[0].ID = uuid.UUID{11} },
			"sellers[1].lines[0].item_id", "repeated",
		},
		"no product name": {
			func(p *order.Placement) { p.Parts[0].Lines[0].ProductName = "" },
			"sellers[0].lines[0].product_name", "empty",
		},
		"option too long": {
			func(p *order.Placement) { p.Parts[0].Lines[0].OptionName = long },
			"sellers[0].lines[0].option_name", "too_long",
		},
		"product ID too long": {
			func(p *order.Placement) { p.Parts[0].Lines[0].ProductID = long },
			"sellers[0].lines[0].product_id", "too_long",
		},
		"no quantity": {
			func(p *order.Placement) { p.Parts[0].Lines[0].Quantity = 0 },
			"sellers[0].lines[0].quantity", "range",
		},
		"negative list price": {
			func(p *order.Placement) { p.Parts[0].Lines[0].ListPrice = -1 },
			"sellers[0].lines[0].list_price", "range",
		},
		"unit price too large": {
			func(p *order.Placement) { p.Parts[0].Lines[0].UnitPrice = order.MaxAmount + 1 },
			"sellers[0].lines[0].unit_price", "range",
		},
		"line amount too large": {func(p *order.Placement) {
			p.Parts[0].Lines[0].UnitPrice, p.Parts[0].Lines[0].Quantity = order.MaxAmount, order.MaxQuantity
		}, "sellers[0].lines[0].unit_price", "range"},
		"discount too large": {
			func(p *order.Placement) { p.Parts[0].Lines[0].Discount = 24_001 },
			"sellers[0].lines[0].discount_amount", "range",
		},
		"discount negative": {
			func(p *order.Placement) { p.Parts[0].Lines[0].Discount = -1 },
			"sellers[0].lines[0].discount_amount", "range",
		},
		"history before payment": {func(p *order.Placement) {
			p.Parts[1].Lines[0].History[0].At = p.PaidAt.Add(-time.Microsecond)
		}, "sellers[1].lines[0].history[0].changed_at", "range"},
		"history out of order": {func(p *order.Placement) {
			p.Parts[1].Lines[0].History[1].At = noon.Add(-25 * time.Hour)
		}, "sellers[1].lines[0].history[1].changed_at", "range"},
		"history in the future": {func(p *order.Placement) {
			p.Parts[1].Lines[0].History[1].At = noon.Add(order.ClockSlack + time.Microsecond)
		}, "sellers[1].lines[0].history[1].changed_at", "range"},
		"history with a forbidden transition": {func(p *order.Placement) {
			p.Parts[1].Lines[0].History[0].To = order.Delivered
		}, "sellers[1].lines[0].history[0].item_status", "not_allowed"},
		"history of an unknown state": {func(p *order.Placement) {
			p.Parts[1].Lines[0].History[0].To = "lost"
		}, "sellers[1].lines[0].history[0].item_status", "not_allowed"},
		"history too long": {func(p *order.Placement) {
			p.Parts[1].Lines[0].History = backAndForth(101, noon)
		}, "sellers[1].lines[0].history", "too_many"},
		"no parcel": {func(p *order.Placement) { p.Parts[1].Lines[0].Shipment = nil }, "sellers[1].lines[0].shipment", "required"},
		"no carrier": {
			func(p *order.Placement) { p.Parts[1].Lines[0].Shipment.CarrierName = "" },
			"sellers[1].lines[0].shipment.carrier_name", "empty",
		},
		"no tracking number": {func(p *order.Placement) {
			p.Parts[1].Lines[0].Shipment.TrackingNo = ""
		}, "sellers[1].lines[0].shipment.tracking_no", "empty"},
		"company too long": {func(p *order.Placement) {
			p.Parts[1].Lines[0].Shipment.LogisticsCompany = &long
		}, "sellers[1].lines[0].shipment.logistics_company", "too_long"},
		"parcel of an unshipped line": {func(p *order.Placement) {
			p.Parts[0].Lines[0].Shipment = &order.SentParcel{CarrierName: "CJ대한통운", TrackingNo: "1"}
		}, "sellers[0].lines[0].shipment", "not_allowed"},
	} {
		placement := sound()
		c.spoil(&placement)
		problems := placement.Check("orders[7]", noon)
		require.Len(t, problems, 1, "%s: %v", name, problems)
		require.Equal(t, "orders[7]."+c.field, problems[0].Field, name)
		require.Equal(t, c.code, problems[0].Code, name)
		require.NotEmpty(t, problems[0].Message, name)
	}
}

// An order whose payment is pending has neither a history nor a shipment.
func TestCheck_pendingOrderHasNoPast(t *testing.T) {
	t.Parallel()
	pending := sound()
	pending.PaidAt = time.Time{}
	problems := pending.Check("orders[0]", noon)
	fields := make([]string, 0, len(problems))
	for _, problem := range problems {
		fields = append(fields, problem.Field)
	}
	require.Equal(t, []string{"orders[0].sellers[1].lines[0].history", "orders[0].sellers[1].lines[0].shipment"}, fields)
}

// Every legal path of up to six changes is accepted and every illegal next step is refused, with the legal ones named.
func TestCheck_historiesFollowTheArrows(t *testing.T) {
	t.Parallel()
	var walk func(state order.State, history []order.StateChange)
	walk = func(state order.State, history []order.StateChange) {
		if len(history) == 5 {
			return
		}
		for _, to := range order.States() {
			placement := sound()
			placement.Parts = placement.Parts[:1]
			line := &placement.Parts[0].Lines[0]
			line.History = append(append([]order.StateChange{}, history...), order.StateChange{To: to, At: noon})
			if to.Shows().Parcel {
				line.Shipment = &order.SentParcel{CarrierName: "한진택배", TrackingNo: "1"}
			}
			legal := order.Follows(state, to)
			require.Equal(t, legal, len(placement.Check("o", noon)) == 0, "%v then %s", history, to)
			if legal {
				require.Equal(t, to, line.Life(placement.PaidAt).State)
				walk(to, line.History)
			}
		}
	}
	walk(order.Paid, nil)
}

// An item may be in only one order of a request; a repetition of that order does not count as another one.
func TestCheckAll_itemInOneOrderOnly(t *testing.T) {
	t.Parallel()
	one, again, other := sound(), sound(), sound()
	other.No = "A-101"
	require.Empty(t, order.CheckAll([]order.Placement{one, again}, noon), "a repetition has the same items")
	problems := order.CheckAll([]order.Placement{one, again, other}, noon)
	require.Len(t, problems, 1, "items without an id cannot be assigned")
	require.Equal(t, "orders[2].sellers[0].lines[0].item_id", problems[0].Field)
	require.Equal(t, "repeated", problems[0].Code)
}

// All orders of a request are checked, also those after an invalid one.
func TestCheckAll_everyOrder(t *testing.T) {
	t.Parallel()
	bad := sound()
	bad.Currency = ""
	problems := order.CheckAll([]order.Placement{bad, sound(), bad}, noon)
	require.Len(t, problems, 2)
	require.Equal(t, "orders[0].currency", problems[0].Field)
	require.Equal(t, "orders[2].currency", problems[1].Field)
}

func backAndForth(changes int, at time.Time) []order.StateChange {
	history := make([]order.StateChange, changes)
	for i := range history {
		history[i] = order.StateChange{To: order.Shipping, At: at}
		if i%2 == 1 {
			history[i].To = order.Paid
		}
	}
	return history
}
