package invalid

import (
	"regexp"

	"sellerapi.dev/pkg/carrier"
)

// The kinds of texts that calls bring. Those that are handed on from one service to another must be the same in both: what was
// answered for is handed on long after.
var (
	// OrderNo is the number of an order.
	OrderNo = Text{Form: regexp.MustCompile(`^[A-Z0-9-]{1,50}$`), FormRule: "must be 1 to 50 characters of A-Z, 0-9 and hyphen"}
	// ClaimNo is the number of a claim, which is a part of paths.
	ClaimNo = Text{
		Form:     regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`),
		FormRule: "must be 1 to 64 letters, digits, hyphens, underscores and dots, a letter or digit first",
	}
	// ID is an identifier assigned by another system: of a member, a product, a payment, an act.
	ID = Text{Max: 100, NotEmpty: true, NoControls: true}
	// Operator is the name of a person who acts for the marketplace.
	Operator = Text{Max: 100, NotBlank: true, NoControls: true}
	// Memo is a reason or a remark.
	Memo = Text{Max: 1000, NotBlank: true, Prose: true}
	// RejectionMemo is a memo of a seller, which may contain any character.
	RejectionMemo = Text{Max: 1000, NotEmpty: true, Prose: true}

	// Currency is the code of a currency.
	Currency = Text{Form: regexp.MustCompile(`^[A-Z]{3}$`), FormRule: "is not a currency code of three capital letters"}
	// ProductName is the name of a product.
	ProductName = Text{Max: 500, NotBlank: true, Prose: true}
	// OptionName is the name of an option of a product, in one line.
	OptionName = Text{Max: 500, NotBlank: true, NoControls: true}

	// PersonName, Phone, Zipcode, Address and DeliveryMemo are personal data of an order.
	PersonName   = Text{Max: 100, NotBlank: true, Prose: true}
	Phone        = Text{Max: 50, NotBlank: true, Prose: true}
	Zipcode      = Text{Max: 20, NotBlank: true, Prose: true}
	Address      = Text{Max: 300, NotBlank: true, Prose: true}
	DeliveryMemo = Text{Max: 500, NotBlank: true, Prose: true}

	// CarrierName, TrackingNo and Logistics are the texts of a parcel; package carrier says what they must mean.
	CarrierName = Text{Max: carrier.MaxNameChars, NotEmpty: true, Prose: true}
	TrackingNo  = Text{Max: carrier.MaxTrackingNoChars, NotEmpty: true, Prose: true}
	Logistics   = Text{Max: carrier.MaxLogisticsChars, NotEmpty: true, Prose: true}

	// Category, InquiryBody and ImageURL are of inquiries.
	Category    = Text{Max: 50, NotBlank: true, Prose: true}
	InquiryBody = Text{Max: 20_000, NotBlank: true, Prose: true}
	ImageURL    = Text{Max: 2000, NotBlank: true, NoControls: true}
)

// Optional returns the kind for an optional text.
func (t Text) Optional() Text {
	t.NotEmpty, t.NotBlank = false, false
	return t
}
