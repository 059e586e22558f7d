package rest

import (
	"context"
	"math"
	"strings"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/web"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

const (
	maxLines  = 100
	maxAmount = 1_000_000_000_000
)

// wish is what the body says of an order; what it does not say is drawn.
type wish struct {
	pending, mixed bool
	count          int64
	lines          []*web.Object
	apply          []func(*ordersv1.Order, *ordersv1.SellerPart)
}

// placeOrder implements POST /sandbox/v1/orders.
func (a *API) placeOrder(ctx context.Context, at scene, body *web.Body) (happened, error) {
	w := readWish(at.seller, body)
	made, err := marketOf(at.seller, w.mixed)
	if err != nil {
		return happened{}, err
	}
	order := made.Fresh(anyNumber(), now(), int(w.count))
	order.MemberId = memberOf(at.seller, order.GetMemberId())
	part := order.GetSellers()[0]
	for _, apply := range w.apply {
		apply(order, part)
	}
	for i, given := range w.lines {
		readLine(given, part.GetLines()[i])
	}
	if w.pending {
		order.PaidAt = nil
	}
	if err := body.Err(); err != nil {
		return happened{}, err
	}
	return a.place(ctx, order, w)
}

func (a *API) place(ctx context.Context, order *ordersv1.Order, w wish) (happened, error) {
	placed, err := a.Orders.PlaceOrders(ctx, &ordersv1.PlaceOrdersRequest{Orders: []*ordersv1.Order{order}})
	if err != nil {
		return happened{}, refused(err, "order_no")
	}
	if placed.GetResults()[0].GetOutcome() == ordersv1.PlaceOutcome_PLACE_OUTCOME_CONFLICT {
		return happened{}, notAllowed("order_no", "is the number of an order that exists already", "이미 있는 주문번호입니다")
	}
	said := apierr.Phrase{
		English: "A customer placed and paid the order %s, with %d of your lines.", Korean: "고객이 주문 %s(내 품목 %d건)을 결제했습니다.",
	}
	if w.pending {
		said = apierr.Phrase{
			English: "A customer placed the order %s, with %d of your lines, and has not paid it yet: you do not see it until then.",
			Korean:  "고객이 주문 %s(내 품목 %d건)을 넣었고 아직 결제하지 않았습니다. 결제 전에는 보이지 않습니다.",
		}
	}
	number := order.GetOrderNo()
	return happened{said: said.With(number, len(order.GetSellers()[0].GetLines())), orderNo: number, orders: []string{number}}, nil
}

// memberOf returns the id of a member of the sandbox, which says whose sandbox it is: to forget it changes no order that another
// seller's key has placed.
func memberOf(seller uuid.UUID, member string) string { return memberPrefix(seller) + member }

func memberPrefix(seller uuid.UUID) string { return "sandbox-" + seller.String() + "-" }

// maxMember is what is left of the longest id of a member.
const maxMember = 50

var orderStates = []string{"paid", "pending"}

func readWish(seller uuid.UUID, body *web.Body) wish {
	w := wish{
		pending: body.OptionalEnum("status", orderStates) == "pending", mixed: body.OptionalBool("other_seller"),
		lines: body.OptionalObjects("lines", 1, maxLines),
	}
	w.count = int64(len(w.lines))
	if count := body.OptionalInteger("line_count", 1, maxLines); count != nil && w.lines == nil {
		w.count = *count
	}
	w.texts(body.Object, []given{
		{"order_no", invalid.OrderNo, func(o *ordersv1.Order) *string { return &o.OrderNo }},
		{"currency", invalid.Currency, func(o *ordersv1.Order) *string { return &o.Currency }},
	})
	if member := body.OptionalString("member", invalid.Text{Max: maxMember, NotBlank: true, NoControls: true}); member != nil {
		w.apply = append(w.apply, func(o *ordersv1.Order, _ *ordersv1.SellerPart) { o.MemberId = memberOf(seller, *member) })
	}
	w.texts(body.OptionalObject("contact"), contactTexts)
	for name, into := range map[string]func(*ordersv1.SellerPart) *int64{
		"point_used_amount": func(p *ordersv1.SellerPart) *int64 { return &p.PointUsedAmount },
		"shipping_fee_base": func(p *ordersv1.SellerPart) *int64 { return &p.ShippingFeeBase },
		"shipping_fee_paid": func(p *ordersv1.SellerPart) *int64 { return &p.ShippingFeePaid },
	} {
		if amount := body.OptionalInteger(name, 0, maxAmount); amount != nil {
			w.apply = append(w.apply, func(_ *ordersv1.Order, p *ordersv1.SellerPart) { *into(p) = *amount })
		}
	}
	if w.lines != nil && !body.Given("point_used_amount") { // drawn points could exceed what is paid for given lines
		w.apply = append(w.apply, func(_ *ordersv1.Order, p *ordersv1.SellerPart) { p.PointUsedAmount = 0 })
	}
	return w
}

// given is a text of an order.
type given struct {
	name string
	kind invalid.Text
	into func(*ordersv1.Order) *string
}

func (w *wish) texts(object *web.Object, texts []given) {
	for _, one := range texts {
		if text := object.OptionalString(one.name, one.kind); text != nil {
			w.apply = append(w.apply, func(o *ordersv1.Order, _ *ordersv1.SellerPart) { *one.into(o) = *text })
		}
	}
}

var contactTexts = []given{
	{"orderer_name", invalid.PersonName, func(o *ordersv1.Order) *string { return &o.Contact.OrdererName }},
	{"orderer_phone", invalid.Phone, func(o *ordersv1.Order) *string { return &o.Contact.OrdererPhone }},
	{"recipient_name", invalid.PersonName, func(o *ordersv1.Order) *string { return &o.Contact.RecipientName }},
	{"recipient_phone", invalid.Phone, func(o *ordersv1.Order) *string { return &o.Contact.RecipientPhone }},
	{"zipcode", invalid.Zipcode, func(o *ordersv1.Order) *string { return &o.Contact.Zipcode }},
	{"address1", invalid.Address, func(o *ordersv1.Order) *string { return &o.Contact.Address1 }},
	{"address2", invalid.Address, func(o *ordersv1.Order) *string { return &o.Contact.Address2 }},
	{"ship_memo", invalid.DeliveryMemo, func(o *ordersv1.Order) *string { return &o.Contact.ShipMemo }},
}

// readLine puts what is given over a drawn line. A given price has no drawn discount, and a list price that is not lower.
func readLine(object *web.Object, line *ordersv1.Line) {
	for name, into := range map[string]*string{
		"product_id": &line.ProductId, "product_name": &line.ProductName, "option_name": &line.OptionName,
	} {
		kind := map[string]invalid.Text{
			"product_id": invalid.ID, "product_name": invalid.ProductName, "option_name": invalid.OptionName,
		}[name]
		if text := object.OptionalString(name, kind); text != nil {
			*into = *text
		}
	}
	amount := func(name string) *int64 { return object.OptionalInteger(name, 0, maxAmount) }
	quantity, unit, list, discount := object.OptionalInteger("quantity", 1, math.MaxInt32), amount("unit_price"),
		amount("list_price"), amount("discount_amount")
	if quantity != nil || unit != nil {
		line.DiscountAmount = 0
	}
	line.Quantity, line.UnitPrice = orElse(quantity, line.GetQuantity()), orElse(unit, line.GetUnitPrice())
	line.ListPrice = orElse(list, max(line.GetListPrice(), line.GetUnitPrice()))
	line.DiscountAmount = orElse(discount, line.GetDiscountAmount())
	if at := object.OptionalTime("ship_by"); at != nil {
		line.ShipBy = timestamppb.New(*at)
	}
}

func orElse(given *int64, drawn int64) int64 {
	if given != nil {
		return *given
	}
	return drawn
}

// ownMember returns the member of an order, and whether it is one of the seller's sandbox.
func ownMember(seller uuid.UUID, order *ordersv1.ChangedOrder) (string, bool) {
	return order.GetMemberId(), strings.HasPrefix(order.GetMemberId(), memberPrefix(seller))
}
