package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

func goods(quantity, unitPrice, discount int64) *ordersv1.Line {
	line := stacktest.NewLine("울 니트")
	line.Quantity, line.ListPrice, line.UnitPrice, line.DiscountAmount = quantity, unitPrice, unitPrice, discount
	return line
}

// delivered places an order of the seller whose lines have been delivered.
func (d *session) delivered(t *testing.T, lines ...*ordersv1.Line) *ordersv1.Order {
	t.Helper()
	return d.PlaceNew(t, d.seller.ID, stacktest.Lines(lines...), stacktest.Claimable(stacktest.Exchange))
}

func line(t *testing.T, order stacktest.Order, number string) stacktest.Item {
	t.Helper()
	for _, item := range order.Items {
		if item.ItemCode == order.OrderNo+"-"+number {
			return item
		}
	}
	require.Fail(t, "no line "+number, "%v", order.Items)
	return stacktest.Item{}
}

// exchangeWay are the actions of an exchange in their order, each with the state that it leads to.
var exchangeWay = []struct {
	action, status string
	available      []string
	sets           func(*stacktest.Claim)
}{
	{"approve", "approved", []string{"pickup"}, func(*stacktest.Claim) {}},
	{"pickup", "collecting", []string{"collect-done"}, func(c *stacktest.Claim) {
		c.CollectCarrier, c.CollectTrackingNo = new("한진택배"), new(collectNo)
	}},
	{"collect-done", "collected", []string{"inspect"}, func(*stacktest.Claim) {}},
	{"inspect", "reshipping", []string{"reship"}, func(c *stacktest.Claim) { c.InspectResult = new("pass") }},
	{"reship", "completed", []string{}, func(c *stacktest.Claim) {
		c.ReshipCarrier, c.ReshipTrackingNo = new("로젠택배"), new(reshipNo)
	}},
}

// Every action of an exchange advances it by one state and sets exactly its own fields: fields without a value yet are null, and
// the available actions are those of the table.
func TestExchange_wholeWay(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	order := d.delivered(t, stacktest.NewLine("순면 티셔츠"))
	before := d.order(t, order.GetOrderNo())
	was := d.claimOn(t, order, stacktest.Exchange)
	require.Equal(t, stacktest.Claim{
		ClaimNo: was.ClaimNo, OrderNo: order.GetOrderNo(), Type: "exchange", Status: "requested",
		AvailableActions: availableActions(t, stacktest.Exchange, "requested"), Fault: "seller", ReasonCode: "defective",
		ClaimShippingFee: new(int64(0)), PriceDifference: new(int64(0)),
		RequestedAt: was.RequestedAt, UpdatedAt: was.UpdatedAt,
		Items: []stacktest.ClaimItem{{
			ItemCode: order.GetOrderNo() + "-01", ItemID: before.Items[0].ItemID, Quantity: 2,
			ProductName: "순면 티셔츠", OptionName: "블랙 / M", ExchangeOptionName: new("화이트 / L"),
		}},
	}, was)
	for _, step := range exchangeWay {
		d.requireExchangeLines(t, was, before)
		claim := d.acted(t, was.ClaimNo, step.action, requestBody(step.action))
		require.Greater(t, claim.UpdatedAt, was.UpdatedAt, step.action)
		require.Equal(t, step.status == "completed", claim.CompletedAt != nil, "set when the claim finishes")
		step.sets(&was)
		was.Status, was.AvailableActions = step.status, step.available
		was.UpdatedAt, was.CompletedAt = claim.UpdatedAt, claim.CompletedAt
		require.Equal(t, was, claim, step.action)
		require.Equal(t, was, d.client.Claim(t, was.ClaimNo))
	}
	d.requireExchangeLines(t, was, before)
	require.Empty(t, d.Payments.Asked(was.ClaimNo), "no difference for the same price")
}

// requireExchangeLines checks the changes that an exchange of all pieces of the order's only line has made to the order so far.
// before is the order before the claim.
func (d *session) requireExchangeLines(t *testing.T, claim stacktest.Claim, before stacktest.Order) {
	t.Helper()
	order, was := d.order(t, claim.OrderNo), before.Items[0]
	require.Greater(t, order.UpdatedAt, before.UpdatedAt, "a change of a claim is a change of the order")
	old, fresh := was, was
	old.HasActiveClaim = true
	fresh.ItemCode, fresh.OptionName, fresh.IsExchange = claim.OrderNo+"-02", *claim.Items[0].ExchangeOptionName, true
	fresh.ItemStatus, fresh.DeliveredAt, fresh.LogisticsCompany = "paid", nil, nil
	fresh.CarrierName, fresh.TrackingNo, fresh.ShippedAt = nil, nil, nil
	wanted, status := []stacktest.Item{old}, "delivered"
	switch claim.Status {
	case "reshipping":
		fresh.ItemID = order.Items[1].ItemID
		wanted, status = []stacktest.Item{old, fresh}, "paid"
	case "completed":
		fresh.ItemID, fresh.ItemStatus, fresh.ShippedAt = order.Items[1].ItemID, "shipping", order.Items[1].ShippedAt
		fresh.CarrierName, fresh.TrackingNo = claim.ReshipCarrier, claim.ReshipTrackingNo
		require.NotNil(t, fresh.ShippedAt)
		old.ItemStatus, old.HasActiveClaim, old.LogisticsCompany = "exchanged", false, nil
		wanted, status = []stacktest.Item{old, fresh}, "shipping"
	}
	require.Equal(t, wanted, order.Items, claim.Status)
	require.Equal(t, status, order.OrderStatus, "the replacement line determines the order status")
	if len(wanted) > 1 {
		require.NotEqual(t, was.ItemID, order.Items[1].ItemID)
	}
}

// endings are the ways in which an exchange ends without effect: from which state, through what, and what the claim shows then.
var endings = []struct {
	from, status string
	inspected    *string
	end          func(t *testing.T, d *session, claimNo string) string
}{
	{"requested", "rejected", nil, func(t *testing.T, d *session, no string) string {
		t.Helper()
		return d.acted(t, no, "reject", rejection()).Status
	}},
	{"collected", "rejected", new("fail"), func(t *testing.T, d *session, no string) string {
		t.Helper()
		return d.acted(t, no, "inspect", failedInspection()).Status
	}},
	{"collected", "rejected", nil, func(t *testing.T, d *session, no string) string {
		t.Helper()
		require.Equal(t, "inspecting", d.HoldInspection(t, no))
		require.Equal(t, []string{"reject"}, d.client.Claim(t, no).AvailableActions)
		return d.acted(t, no, "reject", rejection()).Status
	}},
	{"collected", "rejected", new("fail"), func(t *testing.T, d *session, no string) string {
		t.Helper()
		d.HoldInspection(t, no)
		return stacktest.Must(t, d.Claims.ActAsOperator, &claimsv1.ActAsOperatorRequest{
			ClaimNo: no, Action: "inspect", Operator: "운영자", Result: "fail", Memo: "오염",
		}).GetStatus()
	}},
	{"requested", "withdrawn", nil, func(t *testing.T, d *session, no string) string { t.Helper(); return d.WithdrawClaim(t, no) }},
	{"approved", "withdrawn", nil, func(t *testing.T, d *session, no string) string { t.Helper(); return d.WithdrawClaim(t, no) }},
}

func failedInspection() body { return body{"result": "fail", "memo": "얼룩이 있습니다"} }

// However an exchange ends without effect: nothing is refunded, there is no new line, and the goods remain the customer's, who
// can claim them again.
func TestExchange_withoutEffectRestoresOrder(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, ending := range endings {
		order := d.delivered(t, stacktest.NewLine("순면 티셔츠"))
		before := d.order(t, order.GetOrderNo())
		was := d.advance(t, d.claimOn(t, order, stacktest.Exchange), ending.from)
		require.Equal(t, ending.status, ending.end(t, d, was.ClaimNo), "%+v", ending)
		claim := d.client.Claim(t, was.ClaimNo)
		require.NotNil(t, claim.CompletedAt)
		was.Status, was.AvailableActions, was.InspectResult = ending.status, []string{}, ending.inspected
		was.CompletedAt, was.UpdatedAt, was.ClaimShippingFee = claim.CompletedAt, claim.UpdatedAt, nil
		require.Equal(t, was, claim)
		require.Empty(t, d.Payments.Asked(claim.ClaimNo))
		after := d.awaitOrder(t, order.GetOrderNo(), "the line is free",
			func(o stacktest.Order) bool { return !o.Items[0].HasActiveClaim })
		require.Greater(t, after.UpdatedAt, before.UpdatedAt)
		before.UpdatedAt = after.UpdatedAt
		require.Equal(t, before, after)
		require.Equal(t, "requested", d.claimOn(t, order, stacktest.Return).Status)
	}
}
