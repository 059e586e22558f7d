// Package carrier defines the five carriers of the API and parses the shipment fields of requests.
//
// The parsers return only valid values: a [Name] is one of the five, a [TrackingNo] is normalised
// and not empty. Two shipments are the same exactly when their values are equal, see
// [Shipment.Same]; the same form is stored, compared and returned.
//
// # The steps and their order
//
// The first error is reported, in this order:
//
//	[CheckText]        broken UTF-8            422 VALIDATION_ERROR
//	                   control characters      400 SHIPMENT_INPUT_INVALID
//	[ParseName]        empty or not allowed    422 SHIPMENT_CARRIER_NOT_ALLOWED
//	[ParseTrackingNo]  empty or blank          400 SHIPMENT_FIELDS_REQUIRED
//	                   too long spelt out      422 VALIDATION_ERROR
//
// [ParseShipment] performs all of them. Lengths and absent fields are checked earlier, when the
// request is decoded.
//
// # What people type
//
// Tracking numbers are copied from labels, spreadsheets and chats: with hyphens, full-width digits,
// ideographic spaces, zero-width characters from word processors, and fields that look empty but
// contain a Hangul filler, which Unicode classifies as a letter. All of that is removed or folded.
// Carrier names are compared exactly, except that a name typed on a Mac arrives decomposed (NFD) and
// is the same name.
package carrier
