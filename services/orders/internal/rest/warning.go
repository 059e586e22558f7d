package rest

import (
	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
)

// trackingNoSuspicious is the code of a warning about a tracking number that does not match the carrier's format.
const trackingNoSuspicious = "TRACKING_NO_SUSPICIOUS"

// warningView is a warning about a value that was accepted.
type warningView struct {
	// Field is the path of the value in the request or in the item of an order.
	Field string `json:"field"`
	Code  string `json:"code"`
	// Reason is the reason of the warning.
	Reason  carrier.Doubt `json:"reason"`
	Message string        `json:"message"`
}

// doubts are the texts of the warnings.
var doubts = map[carrier.Doubt]apierr.Phrase{
	carrier.NotDigits: {
		English: "Tracking numbers of this carrier consist of digits.",
		Korean:  "이 택배사의 운송장 번호는 숫자로만 되어 있습니다.",
	},
	carrier.Length: {
		English: "Tracking numbers of this carrier have another length.",
		Korean:  "이 택배사의 운송장 번호와 자릿수가 다릅니다.",
	},
	carrier.CheckDigit: {
		English: "The last digit of the tracking number does not fit the others; it may be mistyped.",
		Korean:  "운송장 번호의 마지막 숫자가 맞지 않습니다. 잘못 입력되었을 수 있습니다.",
	},
}

// appendWarning appends the warning about a parcel's tracking number, if there is one.
func appendWarning(warnings []warningView, field string, parcel carrier.Shipment, lang apierr.Lang) []warningView {
	doubt := carrier.Suspicious(parcel.Carrier, parcel.TrackingNo)
	if doubt == "" {
		return warnings
	}
	return append(warnings, warningView{Field: field, Code: trackingNoSuspicious, Reason: doubt, Message: doubts[doubt].In(lang)})
}
