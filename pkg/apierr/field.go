package apierr

// The values of FieldError.Code. Clients may branch on them.
const (
	FieldRequired   = "required"    // not sent
	FieldNull       = "null"        // null where a value is required
	FieldType       = "type"        // another JSON type
	FieldEmpty      = "empty"       // empty text, or nothing but blanks
	FieldTooLong    = "too_long"    // more characters than allowed
	FieldTooFew     = "too_few"     // fewer elements than allowed
	FieldTooMany    = "too_many"    // more elements than allowed
	FieldRepeated   = "repeated"    // the same parameter or element given twice
	FieldDuplicate  = "duplicate"   // the same member name twice in one object
	FieldCase       = "case"        // a known name in other letter case
	FieldUnknown    = "unknown"     // no such query parameter
	FieldNotAllowed = "not_allowed" // not among the allowed values
	FieldRange      = "range"       // a number or an interval out of range
	FieldMalformed  = "malformed"   // not in the required form
	FieldControl    = "control"     // control characters
	FieldEncoding   = "encoding"    // broken UTF-8
	FieldSyntax     = "syntax"      // not JSON
)

// FieldError is one problem of a request, an element of error_data.errors.
type FieldError struct {
	// Field is a path such as items[3].tracking_no or query.limit; "body" and
	// "query" denote the whole.
	Field string `json:"field"`
	// Code is one of the Field constants.
	Code string `json:"code"`
	// Message states in English what is wrong and what would be right.
	Message string `json:"message"`
	// Korean is the message in Korean, empty where there is no translation.
	Korean string `json:"-"`
	// Allowed lists the allowed values where there is a list of them.
	Allowed []string `json:"allowed,omitempty"`
}

// Problem returns a problem of a field with its text in every language.
func Problem(field, code string, phrase Phrase, allowed ...string) FieldError {
	return FieldError{Field: field, Code: code, Message: phrase.English, Korean: phrase.Korean, Allowed: allowed}
}

func (f FieldError) text(lang Lang) string {
	if lang == Korean && f.Korean != "" {
		return f.Korean
	}
	return f.Message
}

// Invalid returns the VALIDATION_ERROR that reports these problems.
func Invalid(fields ...FieldError) *Error {
	return ValidationError.With(map[string]any{"errors": fields})
}
