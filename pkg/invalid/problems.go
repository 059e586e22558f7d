// Package invalid collects the problems of the input of a call, with the same wording in all services, and has the table of
// text kinds: a text of a kind that one service accepts is accepted by every other service to which it is passed.
package invalid

import (
	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
)

// maxProblems is the maximum number of problems in a response. Otherwise the response to a batch with an error in every entry
// would be larger than the request.
const maxProblems = 100

// Problems collects problems. The zero value is ready to use.
type Problems struct{ list []apierr.FieldError }

// Add adds a problem of a field.
func (p *Problems) Add(field, code, message string, allowed ...string) {
	p.Append(apierr.FieldError{Field: field, Code: code, Message: message, Allowed: allowed})
}

// Note is Add in every language, for the public operations.
func (p *Problems) Note(field, code string, phrase apierr.Phrase, allowed ...string) {
	p.Append(apierr.Problem(field, code, phrase, allowed...))
}

// Append adds problems that were found elsewhere.
func (p *Problems) Append(found ...apierr.FieldError) {
	p.list = append(p.list, found[:min(len(found), maxProblems-len(p.list))]...)
}

// List returns the problems in the order in which they were found.
func (p *Problems) List() []apierr.FieldError { return p.list }

// Err returns VALIDATION_ERROR with all problems, nil when there are none.
func (p *Problems) Err() error {
	if len(p.list) == 0 {
		return nil
	}
	return apierr.Invalid(p.list...)
}

// NotAllowed adds the problem of a value that is not among the allowed ones.
func (p *Problems) NotAllowed(field string, allowed ...string) {
	p.Note(field, apierr.FieldNotAllowed, apierr.NotAllowed(allowed), allowed...)
}

// Names returns names as texts, for the allowed values of a field.
func Names[T ~string](list []T) []string {
	texts := make([]string, 0, len(list))
	for _, name := range list {
		texts = append(texts, string(name))
	}
	return texts
}

// Count checks the number of elements of a list and reports whether it is within the limits.
func (p *Problems) Count(field string, count, least, most int) bool {
	switch {
	case count < least:
		p.Note(field, apierr.FieldTooFew, apierr.TooFewElements.With(least))
	case count > most:
		p.Note(field, apierr.FieldTooMany, apierr.TooManyElements.With(most))
	default:
		return true
	}
	return false
}

// Number checks a number and reports whether it is within the range.
func (p *Problems) Number(field string, value, least, most int64) bool {
	if value >= least && value <= most {
		return true
	}
	p.Note(field, apierr.FieldRange, apierr.OutOfRange.With(least, most))
	return false
}

// UUID parses the standard form of a UUID, 36 characters. The nil UUID is invalid.
func (p *Problems) UUID(field, text string) uuid.UUID {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != len(uuid.Nil.String()) || id == uuid.Nil {
		p.Note(field, apierr.FieldMalformed, apierr.NotUUID)
		return uuid.Nil
	}
	return id
}
