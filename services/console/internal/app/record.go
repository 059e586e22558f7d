package app

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/structpb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/services/console/internal/pages"
)

// Find returns a record of a seller as the public interface shows it, by its number. One that does not exist or is another
// seller's is ORDER_NOT_FOUND, CLAIM_NOT_FOUND or QNA_NOT_FOUND.
type Find func(ctx context.Context, seller, number string) (*structpb.Struct, error)

// shape says which members of a record and of its items are shown, in this order. A member of a member stands after a dot. Names,
// addresses and texts of customers are not shown: nobody needs them to find out why a call was refused, and support would see
// those of all sellers.
type shape struct{ members, items []string }

var shapes = map[operation.Service]shape{
	operation.Orders: {
		members: []string{
			"order_status", "seller_order_status", "paid_at", "updated_at", "currency", "seller_items_amount", "seller_discount_amount",
			"seller_point_used_amount", "seller_paid_amount", "seller_shipping_fee_base", "seller_shipping_fee_paid",
		},
		items: []string{
			"item_id", "item_status", "quantity", "has_active_claim", "product_name", "option_name", "item_code", "carrier_name",
			"tracking_no", "logistics_company", "ship_by", "shipped_at", "delivered_at", "confirmed_at", "auto_confirm_at", "is_exchange",
			"origin_item_id", "split_from_claim_no", "exchange_claim_no", "list_price", "unit_price", "line_amount", "discount_amount",
			"line_paid_amount",
		},
	},
	operation.Claims: {
		members: []string{
			"order_no", "type", "status", "available_actions", "already_done", "updated_at", "requested_at", "completed_at",
			"inspection_due_at", "payment_due_at", "fault", "reason_code", "inspect_result", "collect_carrier_name",
			"collect_tracking_no", "reship_carrier_name", "reship_tracking_no", "refund_amount", "claim_shipping_fee", "price_difference",
			"refund_breakdown.goods", "refund_breakdown.shipping", "refund_breakdown.fee", "refund_breakdown.price_difference",
			"refund_breakdown.points", "refund_breakdown.money",
		},
		items: []string{"item_id", "quantity", "product_name", "option_name", "exchange_option_name", "item_code"},
	},
	operation.QnA: {members: []string{
		"status", "created_at", "updated_at", "answer.answered_at", "product_id", "product_name", "category", "is_secret",
	}},
}

// recordTimeout is the time for a record: a page about a call does not wait longer for a service that is slow.
const recordTimeout = 3 * time.Second

// now returns what the record of a call is now; nil if the call has none, or the console does not know the service. A failure is
// shown in its place, because the page is about the call.
func (a *App) now(ctx context.Context, seller string, call *pages.Call) *pages.Record {
	owner := ownerOf(call.Operation)
	find := a.Records[owner]
	if call.Record == "" || find == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, recordTimeout)
	defer cancel()
	found, err := find(ctx, seller, call.Record)
	switch {
	case isMissing(err):
		return &pages.Record{Missing: pages.RecordUnknown}
	case err != nil:
		a.log.LogAttrs(ctx, slog.LevelWarn, "a record cannot be shown", slog.String("request_id", web.RequestID(ctx)),
			slog.String("service", string(owner)), slog.Any("error", err))
		return &pages.Record{Missing: pages.RecordAway}
	}
	return recordView(found, shapes[owner])
}

// ownerOf returns the service that owns an operation; "" for an operation that the console does not know.
func ownerOf(name string) operation.Service {
	all := operation.All()
	at := slices.IndexFunc(all, func(op operation.Operation) bool { return op.Name == name })
	if at < 0 {
		return ""
	}
	return all[at].Service
}

func isMissing(err error) bool {
	return errors.Is(err, apierr.OrderNotFound) || errors.Is(err, apierr.ClaimNotFound) || errors.Is(err, apierr.QnaNotFound)
}

func recordView(record *structpb.Struct, shape shape) *pages.Record {
	view := &pages.Record{}
	for _, name := range shape.members {
		if text := memberText(record, name); text != "" {
			view.Facts = append(view.Facts, pages.Fact{Name: name, Value: text})
		}
	}
	items := record.GetFields()["items"].GetListValue().GetValues()
	for _, name := range shape.items {
		column := pages.RecordColumn{Name: name}
		for _, item := range items {
			column.Values = append(column.Values, memberText(item.GetStructValue(), name))
		}
		if strings.Join(column.Values, "") != "" {
			view.Items = append(view.Items, column)
		}
	}
	return view
}

// memberText returns the member with a name as text, "" if it is absent or null.
func memberText(record *structpb.Struct, name string) string {
	name, inner, nested := strings.Cut(name, ".")
	value := record.GetFields()[name]
	if nested {
		return memberText(value.GetStructValue(), inner)
	}
	return valueText(value)
}

func valueText(value *structpb.Value) string {
	switch kind := value.GetKind().(type) {
	case *structpb.Value_StringValue:
		return kind.StringValue
	case *structpb.Value_NumberValue:
		return strconv.FormatFloat(kind.NumberValue, 'f', -1, 64)
	case *structpb.Value_BoolValue:
		return strconv.FormatBool(kind.BoolValue)
	case *structpb.Value_ListValue:
		texts := make([]string, len(kind.ListValue.GetValues()))
		for i, one := range kind.ListValue.GetValues() {
			texts[i] = valueText(one)
		}
		if len(texts) == 0 {
			return "–"
		}
		return strings.Join(texts, ", ")
	default:
		return ""
	}
}
