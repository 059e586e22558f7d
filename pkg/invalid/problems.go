// Package invalid collects what is wrong with the input of a call, in one wording for all services, and holds the one table of
// what texts may be: a text of a kind that is accepted by one service is accepted by every other one that it is handed to.
package invalid

import (
	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
)

// maxProblems bounds what one answer reports. A batch with a mistake in every entry would otherwise be answered with more than it
// sent.
const maxProblems = 100

// Problems collects what is wrong. The zero value is ready for use.
type Problems struct{ list []apierr.FieldError }

// Add notes a problem of a field.
func (p *Problems) Add(field, code, message string, allowed ...string) {
	p.Append(apierr.FieldError{Field: field, Code: code, Message: message, Allowed: allowed})
}

// Note is Add in every language. What public operations refuse is noted like that.
func (p *Problems) Note(field, code string, phrase apierr.Phrase, allowed ...string) {
	p.Append(apierr.Problem(field, code, phrase, allowed...))
}

// Append notes problems that something else has found.
func (p *Problems) Append(found ...apierr.FieldError) {
	p.list = append(p.list, found[:min(len(found), maxProblems-len(p.list))]...)
}

// List returns the problems in the order in which they were found.
func (p *Problems) List() []apierr.FieldError { return p.list }

// Err is VALIDATION_ERROR with all problems, nil when there are none.
func (p *Problems) Err() error {
	if len(p.list) == 0 {
		return nil
	}
	return apierr.Invalid(p.list...)
}

// NotAllowed notes a value that is not among the allowed ones.
func (p *Problems) NotAllowed(field string, allowed ...string) {
	p.Note(field, apierr.FieldNotAllowed, apierr.NotAmongAllowed, allowed...)
}

// Count checks how many elements a list has and reports whether it has as many as it may.
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

// Number checks a number against both ends of its range and reports whether it lies within.
func (p *Problems) Number(field string, value, least, most int64) bool {
	if value >= least && value <= most {
		return true
	}
	p.Note(field, apierr.FieldRange, apierr.OutOfRange.With(least, most))
	return false
}

// UUID reads the usual form of a UUID, 36 characters. The UUID of zeros names nothing.
func (p *Problems) UUID(field, text string) uuid.UUID {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != len(uuid.Nil.String()) || id == uuid.Nil {
		p.Note(field, apierr.FieldMalformed, apierr.NotUUID)
		return uuid.Nil
	}
	return id
}
