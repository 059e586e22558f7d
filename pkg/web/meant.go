package web

import (
	"maps"
	"strings"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/nearest"
)

// otherNames are names that developers send for a member of a body, spelt as
// [squeeze] leaves them: words of other interfaces and of the trade. They serve
// refusals only; nothing is accepted under them.
var otherNames = map[string]string{
	"items": "item_ids", "itemid": "item_ids", "ids": "item_ids", "orderitemids": "item_ids", "orderitempublicids": "item_ids",
	"itemcodes": "item_ids", "lines": "item_ids",
	"orders": "items", "shipments": "items", "entries": "items",
	"carrier": "carrier_name", "courier": "carrier_name", "carriercode": "carrier_name", "deliverycompany": "carrier_name",
	"deliverycompanycode": "carrier_name", "logistics": "carrier_name", "택배사": "carrier_name",
	"trackingnumber": "tracking_no", "tracking": "tracking_no", "trackingcode": "tracking_no", "invoiceno": "tracking_no",
	"invoicenumber": "tracking_no", "waybill": "tracking_no", "waybillno": "tracking_no", "운송장번호": "tracking_no",
	"송장번호":  "tracking_no",
	"order": "order_no", "orderid": "order_no", "ordernumber": "order_no", "주문번호": "order_no",
	"answer": "content", "text": "content", "body": "content", "message": "content", "답변": "content",
	"reason": "memo", "note": "memo", "comment": "memo", "사유": "memo",
	"status": "result", "passed": "result", "inspection": "result",
}

// OtherNames returns the names of the table, spelt without what people vary, each
// with the member that it stands for.
func OtherNames() map[string]string { return maps.Clone(otherNames) }

// squeeze leaves of a name or value what people do not vary: itemIds, Item-IDs
// and item_ids are one.
func squeeze(text string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '_', '-', ' ', '.':
			return -1
		default:
			return r
		}
	}, strings.ToLower(text))
}

// missing reports that a member is missing, and which of the sent members was
// probably meant. One in another letter case is a separate problem.
func (o *Object) missing(name string) apierr.Phrase {
	for i := range o.members {
		sent := o.members[i].name
		if strings.EqualFold(sent, name) || len(sent) > maxEchoed {
			continue
		}
		squeezed := squeeze(sent)
		if squeezed == squeeze(name) || otherNames[squeezed] == name || nearest.Name(sent, []string{name}) != "" {
			return apierr.IsMissingMeant.With(printable(sent), name)
		}
	}
	return apierr.IsMissing
}

// notAllowed reports that a value is not allowed, and which one was probably meant.
func notAllowed(value string, allowed []string) apierr.Phrase {
	if len(value) <= maxEchoed {
		if candidate := meant(value, allowed); candidate != "" {
			return apierr.DidYouMean.With(candidate)
		}
	}
	return apierr.NotAllowed(allowed)
}

// meant returns the candidate that was probably meant; "" when none is near.
func meant(sent string, candidates []string) string {
	for _, candidate := range candidates {
		if squeeze(candidate) == squeeze(sent) {
			return candidate
		}
	}
	return nearest.Name(sent, candidates)
}

// unknownName reports that a parameter does not exist, and which one was probably
// meant.
func unknownName(name string, known []string) apierr.Phrase {
	if len(known) == 0 {
		return apierr.TakesNoParameter
	}
	if candidate := meant(name, known); candidate != "" {
		return apierr.UnknownMeant.With(candidate)
	}
	return apierr.UnknownParameter
}
