package rest

import (
	"strconv"
	"strings"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
)

// trackingNoSuspicious is the code of a warning about a tracking number that does not match the carrier's format.
const trackingNoSuspicious = "TRACKING_NO_SUSPICIOUS"

type warningView struct {
	// Field is the path of the value in the request or in the item of an order.
	Field string `json:"field"`
	Code  string `json:"code"`
	// Reason is the reason of the warning.
	Reason  carrier.Doubt `json:"reason"`
	Message string        `json:"message"`
}

// doubts are the texts of the warnings that are the same for every carrier.
var doubts = map[carrier.Doubt]apierr.Phrase{
	carrier.NotDigits: {
		English: "Tracking numbers of this carrier consist of digits.",
		Korean:  "이 택배사의 송장번호는 숫자로만 되어 있습니다.",
	},
	carrier.CheckDigit: {
		English: "The last digit of the tracking number does not fit the others; it may be mistyped.",
		Korean:  "송장번호의 마지막 숫자가 맞지 않습니다. 잘못 입력되었을 수 있습니다.",
	},
}

var lengths = func() map[carrier.Name]apierr.Phrase {
	texts := map[carrier.Name]apierr.Phrase{}
	for _, facts := range carrier.All() {
		texts[facts.Name] = apierr.Phrase{
			English: "Tracking numbers of this carrier have " + alternatives(facts.Lengths, "", " or ") + " digits.",
			Korean:  "이 택배사의 송장번호는 " + alternatives(facts.Lengths, "자리", " 또는 ") + "입니다.",
		}
	}
	return texts
}()

// alternatives lists numbers with a unit after each and a word before the last.
func alternatives(numbers []int, unit, or string) string {
	texts := make([]string, 0, len(numbers))
	for _, number := range numbers {
		texts = append(texts, strconv.Itoa(number)+unit)
	}
	last := len(texts) - 1
	if last < 1 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:last], ", ") + or + texts[last]
}

func explain(doubt carrier.Doubt, name carrier.Name) apierr.Phrase {
	if doubt == carrier.Length {
		return lengths[name]
	}
	return doubts[doubt]
}

func appendWarning(warnings []warningView, field string, parcel carrier.Shipment, lang apierr.Lang) []warningView {
	doubt := carrier.Suspicious(parcel.Carrier, parcel.TrackingNo)
	if doubt == "" {
		return warnings
	}
	return append(warnings, warningView{
		Field: field, Code: trackingNoSuspicious, Reason: doubt, Message: explain(doubt, parcel.Carrier).In(lang),
	})
}
