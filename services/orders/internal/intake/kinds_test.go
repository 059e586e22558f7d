package intake_test

import (
	"testing"

	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/invalid/invalidtest"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// Every text that this service accepts is accepted by every other service, so that a claim can name whatever was placed.
func TestKinds(t *testing.T) {
	t.Parallel()
	p := setup(t)
	place := func(change func(o *ordersv1.Order, text string)) func(string) error {
		return func(text string) error {
			o := p.newOrder("K-1")
			change(o, text)
			_, err := p.place(o, p.newOrder("wrong")) // nothing is placed
			return err
		}
	}
	act := func(change func(act *ordersv1.Act, text string)) func(string) error {
		return func(text string) error {
			act := &ordersv1.Act{ActId: "a-1", Operator: "kim", Reason: "x"}
			change(act, text)
			_, err := p.client.ConfirmPurchase(t.Context(), &ordersv1.ConfirmPurchaseRequest{
				OrderNo: "NONE", ItemIds: []string{"x"}, Act: act,
			})
			return err
		}
	}
	line := func(o *ordersv1.Order) *ordersv1.Line { return o.GetSellers()[0].GetLines()[0] }
	invalidtest.RequireKind(t, invalid.OrderNo, "orders[0].order_no",
		place(func(o *ordersv1.Order, text string) { o.OrderNo = text }))
	invalidtest.RequireKind(t, invalid.ID, "orders[0].member_id", place(func(o *ordersv1.Order, text string) { o.MemberId = text }))
	invalidtest.RequireKind(t, invalid.ProductName, "orders[0].sellers[0].lines[0].product_name",
		place(func(o *ordersv1.Order, text string) { line(o).ProductName = text }))
	invalidtest.RequireKind(t, invalid.OptionName.Optional(), "orders[0].sellers[0].lines[0].option_name",
		place(func(o *ordersv1.Order, text string) { line(o).OptionName = text }))
	invalidtest.RequireKind(t, invalid.Operator, "act.operator", act(func(a *ordersv1.Act, text string) { a.Operator = text }))
	invalidtest.RequireKind(t, invalid.Memo, "act.reason", act(func(a *ordersv1.Act, text string) { a.Reason = text }))
	invalidtest.RequireKind(t, invalid.ID, "member_id", func(text string) error {
		_, err := p.client.ForgetMember(t.Context(), &ordersv1.ForgetMemberRequest{MemberId: text})
		return err
	})
}
