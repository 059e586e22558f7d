package lines_test

import (
	"fmt"
	"strings"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// characters returns a text of n characters of several bytes each.
func characters(n int) string { return strings.Repeat("가", n) }

// malformed are calls that are invalid for every claim: the refusal names the field, and nothing changes.
func malformed() []scenario {
	one := []NewLine{in("delivered", 1), in("delivered", 1)}
	return []scenario{
		{"claim_no", one, refusesClaimNumbers},
		{"open", one, refusesMalformedOpenings},
		{"lines", one, refusesTooManyLines},
		{"add_exchange_line", one, refusesMalformedReplacements},
		{"ship_exchange_line", one, func(b *fixture) {
			b.exchange("C-1", 0)
			refuses(b, noSuchCarrier, b.ShipExchangeLine, b.reshipping("C-1", Parcel{CarrierName: "DHL", TrackingNo: "1"}))
			refuses(b, noSuchCarrier, b.ShipExchangeLine, b.reshipping("C-1", Parcel{TrackingNo: "1"}))
			refuses(b, noTrackingNo, b.ShipExchangeLine, b.reshipping("C-1", Parcel{CarrierName: "한진택배"}))
		}},
		{"convert", one, func(b *fixture) {
			b.open("C-1", exchange, b.pieces(0, 1))
			for _, no := range badNumbers {
				refuses(b, validationError("return_claim_no"), b.Convert,
					&ordersv1.ConvertRequest{ClaimNo: b.number("C-1"), ReturnClaimNo: no})
			}
		}},
		{"touch", one, func(b *fixture) {
			b.open("C-1", exchange, b.pieces(0, 1))
			for _, step := range badNumbers {
				refuses(b, validationError("step"), b.Touch, &ordersv1.TouchRequest{ClaimNo: b.number("C-1"), Step: step})
			}
		}},
	}
}

// badNumbers are invalid claim numbers.
var badNumbers = []string{"", "C\x00", "C\n1", "C\u0085", characters(101)}

func refusesClaimNumbers(b *fixture) {
	want := validationError("claim_no")
	for _, no := range badNumbers {
		open, add, ship := b.opening("C-1", giveBack, b.pieces(0, 1)), b.adding("C-1", 0), b.reshipping("C-1", parcelA)
		open.ClaimNo, add.ClaimNo, ship.ClaimNo = no, no, no
		refuses(b, want, b.Open, open)
		refuses(b, want, b.Release, &ordersv1.ReleaseRequest{ClaimNo: no})
		refuses(b, want, b.Settle, &ordersv1.SettleRequest{ClaimNo: no})
		refuses(b, want, b.Seal, &ordersv1.SealRequest{ClaimNo: no})
		freeze := b.freezing(true, 1)
		freeze.ClaimNo = no
		refuses(b, want, b.Freeze, freeze)
		refuses(b, want, b.CancelReshipment, &ordersv1.CancelReshipmentRequest{ClaimNo: no, Ref: "reship"})
		refuses(b, want, b.AddExchangeLine, add)
		refuses(b, want, b.ShipExchangeLine, ship)
		refuses(b, want, b.Convert, &ordersv1.ConvertRequest{ClaimNo: no, ReturnClaimNo: "R-1"})
		refuses(b, want, b.Touch, &ordersv1.TouchRequest{ClaimNo: no, Step: "approve"})
	}
}

func refusesMalformedOpenings(b *fixture) {
	for _, c := range []struct {
		field  string
		change func(*ordersv1.OpenRequest)
	}{
		{"type", func(r *ordersv1.OpenRequest) { r.Type = 0 }},
		{"type", func(r *ordersv1.OpenRequest) { r.Type = 4 }},
		{"seller_id", func(r *ordersv1.OpenRequest) { r.SellerId = "" }},
		{"seller_id", func(r *ordersv1.OpenRequest) { r.SellerId = "{" + Seller + "}" }},
		{"lines", func(r *ordersv1.OpenRequest) { r.Lines = nil }},
		{"lines[0].item_id", func(r *ordersv1.OpenRequest) { r.Lines[0].ItemId = "x" }},
		{"lines[0].item_id", func(r *ordersv1.OpenRequest) { r.Lines[0].ItemId = strings.ReplaceAll(b.items[0], "-", "") }},
		{"lines[0].quantity", func(r *ordersv1.OpenRequest) { r.Lines[0].Quantity = 0 }},
		{"lines[1].quantity", func(r *ordersv1.OpenRequest) { r.Lines = append(r.Lines, b.pieces(1, -1)) }},
		{"lines[1].item_id", func(r *ordersv1.OpenRequest) { r.Lines = append(r.Lines, b.pieces(0, 1)) }},
	} {
		request := b.opening("C-1", giveBack, b.pieces(0, 1))
		c.change(request)
		refuses(b, validationError(c.field), b.Open, request)
	}
	b.open("C-1", giveBack, b.pieces(0, 1))
}

// refusesTooManyLines checks that the maximum number of lines is accepted, so that only the lines are not
// found, and that one more is refused.
func refusesTooManyLines(b *fixture) {
	request := b.opening("C-1", giveBack)
	for n := range 200 {
		request.Lines = append(request.Lines, &ordersv1.ClaimedLine{ItemId: fmt.Sprintf("%s%03d", unknownID[:33], n), Quantity: 1})
	}
	refuses(b, itemNotFound, b.Open, request)
	request.Lines = append(request.Lines, b.pieces(0, 1))
	refuses(b, validationError("lines"), b.Open, request)
}

func refusesMalformedReplacements(b *fixture) {
	b.open("C-1", exchange, b.pieces(0, 1), b.pieces(1, 1))
	for _, c := range []struct {
		field  string
		change func(*ordersv1.ExchangeLine)
	}{
		{"item_id", func(l *ordersv1.ExchangeLine) { l.ItemId = "x" }},
		{"line_paid_amount", func(l *ordersv1.ExchangeLine) { l.LinePaidAmount = -1 }},
		{"line_paid_amount", func(l *ordersv1.ExchangeLine) { l.LinePaidAmount = maxAmount + 1 }},
		{"unit_price", func(l *ordersv1.ExchangeLine) { l.UnitPrice = -1 }},
		{"unit_price", func(l *ordersv1.ExchangeLine) { l.UnitPrice = maxAmount + 1 }},
		{"exchange_option_name", func(l *ordersv1.ExchangeLine) { l.ExchangeOptionName = characters(501) }},
		{"exchange_option_name", func(l *ordersv1.ExchangeLine) { l.ExchangeOptionName = "a\u0085b" }},
	} {
		request := b.adding("C-1", 0, 1)
		c.change(request.GetLines()[1])
		refuses(b, validationError("lines[1]."+c.field), b.AddExchangeLine, request)
	}
}
