package carrier

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"sellerapi.dev/pkg/apierr"
)

// The longest texts that a request may carry, in code points after NFC, as sent.
const (
	MaxNameChars       = 50
	MaxTrackingNoChars = 60
	MaxLogisticsChars  = 100
)

// The request fields of a shipment.
const (
	nameField      = "carrier_name"
	trackingField  = "tracking_no"
	logisticsField = "logistics_company"
)

// TrackingNo is a normalised tracking number: not empty, without invisible
// characters and separators, in upper case, and no longer than may be sent.
// Parsing it again returns it unchanged.
type TrackingNo string

// Shipment is the carrier and the number under which goods travel.
type Shipment struct {
	Carrier    Name
	TrackingNo TrackingNo
	// Logistics is the forwarding agent byte for byte as sent; nil when absent. An
	// empty text is a value.
	Logistics *string
}

// Same reports whether two shipments agree in all three values.
func (s Shipment) Same(other Shipment) bool {
	return s.Carrier == other.Carrier && s.TrackingNo == other.TrackingNo && equal(s.Logistics, other.Logistics)
}

func equal(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// ParseShipment parses a shipment. It returns the first error in the order of the
// package comment, whichever field it is in.
func ParseShipment(carrierName, trackingNo string, logistics *string) (Shipment, error) {
	if err := CheckText(carrierName, trackingNo, logistics); err != nil {
		return Shipment{}, err
	}
	name, err := ParseName(carrierName)
	if err != nil {
		return Shipment{}, err
	}
	tracking, err := ParseTrackingNo(trackingNo)
	if err != nil {
		return Shipment{}, err
	}
	return Shipment{Carrier: name, TrackingNo: tracking, Logistics: logistics}, nil
}

// CheckText refuses broken UTF-8 in any field (VALIDATION_ERROR), then control
// characters in any field (SHIPMENT_INPUT_INVALID with the field in its data).
func CheckText(carrierName, trackingNo string, logistics *string) error {
	fields := []struct{ name, text string }{{nameField, carrierName}, {trackingField, trackingNo}}
	if logistics != nil {
		fields = append(fields, struct{ name, text string }{logisticsField, *logistics})
	}
	for _, field := range fields {
		if err := checkEncoding(field.name, field.text); err != nil {
			return err
		}
	}
	for _, field := range fields {
		if err := checkControls(field.name, field.text); err != nil {
			return err
		}
	}
	return nil
}

// ParseName parses a carrier name: surrounding white space and Unicode
// decomposition do not matter, anything else does. Errors: those of [CheckText],
// then SHIPMENT_CARRIER_NOT_ALLOWED with the allowed names in its data.
func ParseName(text string) (Name, error) {
	if err := checkField(nameField, text); err != nil {
		return "", err
	}
	name := Name(norm.NFC.String(strings.TrimSpace(text)))
	if factsOf(name) == nil {
		return "", notAllowed(name)
	}
	return name, nil
}

// ParseTrackingNo normalises a tracking number. Errors: those of [CheckText],
// SHIPMENT_FIELDS_REQUIRED when the result is empty, VALIDATION_ERROR when a
// character that expands into several has made it longer than may be sent.
func ParseTrackingNo(text string) (TrackingNo, error) {
	if err := checkField(trackingField, text); err != nil {
		return "", err
	}
	number := normalise(text)
	if number == "" {
		return "", apierr.ShipmentFieldsRequired
	}
	if utf8.RuneCountInString(number) > MaxTrackingNoChars {
		return "", apierr.Invalid(apierr.Problem(trackingField, apierr.FieldTooLong, apierr.LigaturesLong.With(MaxTrackingNoChars)))
	}
	return TrackingNo(number), nil
}

func checkField(field, text string) error {
	if err := checkEncoding(field, text); err != nil {
		return err
	}
	return checkControls(field, text)
}

func checkEncoding(field, text string) error {
	if utf8.ValidString(text) {
		return nil
	}
	return apierr.Invalid(apierr.Problem(field, apierr.FieldEncoding, apierr.BrokenUTF8))
}

func checkControls(field, text string) error {
	if !strings.ContainsFunc(text, unicode.IsControl) {
		return nil
	}
	return apierr.ShipmentInputInvalid.With(map[string]any{"field": field})
}
