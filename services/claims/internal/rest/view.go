package rest

import (
	"sellerapi.dev/pkg/web/jsonwriter"
	"sellerapi.dev/services/claims/internal/claim"
)

type claimsView []claim.Listed

// AppendJSON implements web.Appender.
func (v claimsView) AppendJSON(b []byte) []byte {
	w := object{jsonwriter.Writer{JSON: b}}
	w.Elements(len(v), func(i int) {
		w.Open()
		w.claim(&v[i].Claim)
		w.Close()
	})
	return w.JSON
}

type claimView struct{ *claim.Claim }

// AppendJSON implements web.Appender.
func (v claimView) AppendJSON(b []byte) []byte {
	w := object{jsonwriter.Writer{JSON: b}}
	w.Open()
	w.claim(v.Claim)
	w.Close()
	return w.JSON
}

type performedView struct {
	*claim.Claim
	// alreadyDone, an addition to the interface, is true when the action had been performed before the call.
	alreadyDone bool
}

// AppendJSON implements web.Appender.
func (v performedView) AppendJSON(b []byte) []byte {
	w := object{jsonwriter.Writer{JSON: b}}
	w.Open()
	w.claim(v.Claim)
	w.Flag("already_done", v.alreadyDone)
	w.Close()
	return w.JSON
}

// object writes claims as a seller sees them.
type object struct{ jsonwriter.Writer }

// claim writes the members of a claim, the same in every operation. Fee and price difference are set from the request on.
// refund_breakdown and the due times are additions to the interface: when an uninspected return passes, and until when a
// shortfall can be paid.
func (w *object) claim(c *claim.Claim) {
	actions := c.AvailableActions()
	inspection, payment := c.Deadlines()
	w.Text("claim_no", c.No)
	w.Text("order_no", c.OrderNo)
	w.Text("type", string(c.Type))
	w.Text("status", string(c.Status))
	w.List("available_actions", len(actions), func(i int) { w.Element(string(actions[i])) })
	w.Text("fault", string(c.Fault()))
	w.Text("reason_code", string(c.Reason))
	w.OptionalNumber("refund_amount", c.Money.Refund)
	w.OptionalNumber("claim_shipping_fee", c.ChargedFee())
	w.Number("price_difference", c.Money.Difference)
	w.Moment("requested_at", c.RequestedAt)
	w.OptionalMoment("completed_at", c.CompletedAt)
	w.Moment("updated_at", c.UpdatedAt)
	w.parcel("collect_carrier_name", "collect_tracking_no", c.Performed.Done(claim.Pickup))
	w.result("inspect_result", c.Performed.Done(claim.Inspect))
	// A reshipment that has to wait is visible before the new line has shipped.
	w.parcel("reship_carrier_name", "reship_tracking_no", c.Performed.Shown(claim.Reship))
	w.breakdown("refund_breakdown", c.Breakdown())
	w.OptionalMoment("inspection_due_at", inspection)
	w.OptionalMoment("payment_due_at", payment)
	w.List("items", len(c.Items), func(i int) { w.item(&c.Items[i]) })
}

// parcel writes carrier and tracking number of an action, null if it was not performed.
func (w *object) parcel(carrierName, trackingNo string, performed *claim.Evidence) {
	if performed == nil {
		w.OptionalText(carrierName, nil)
		w.OptionalText(trackingNo, nil)
		return
	}
	w.Text(carrierName, string(performed.Values.Carrier))
	w.Text(trackingNo, string(performed.Values.TrackingNo))
}

// result writes the result of an inspection, null if there was none.
func (w *object) result(name string, inspection *claim.Evidence) {
	if inspection == nil {
		w.OptionalText(name, nil)
		return
	}
	w.Text(name, string(inspection.Values.Result))
}

// breakdown writes the components of a refund, null until it is fixed: goods + shipping - fee - price_difference =
// refund_amount = money + points.
func (w *object) breakdown(name string, b *claim.Breakdown) {
	if b == nil {
		w.OptionalText(name, nil)
		return
	}
	w.Object(name, func() {
		w.Number("goods", b.Goods)
		w.Number("shipping", b.Shipping)
		w.Number("fee", b.Fee)
		w.Number("price_difference", b.PriceDifference)
		w.Number("points", b.Points)
		w.Number("money", b.Money)
	})
}

// item writes the claimed quantity of one line. The code is that of the claimed line; the id is that of the line that carries the
// quantity, which differs after a split.
func (w *object) item(i *claim.Item) {
	w.Open()
	w.Text("item_code", i.ItemCode)
	w.ID("item_id", i.CurrentItemID())
	w.Number("quantity", i.Quantity)
	w.Text("product_name", i.ProductName)
	w.Text("option_name", i.OptionName)
	w.TextOrNull("exchange_option_name", i.ExchangeOptionName)
	w.Close()
}
