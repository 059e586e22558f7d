package apikey

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/principal"
)

// maxTextChars bounds names, purposes, reasons and actors, in characters.
const maxTextChars = 200

// RegisterRequest makes a seller known.
type RegisterRequest struct {
	SellerID uuid.UUID
	Name     string
	Actor    string
}

// IssueRequest asks for a new key.
type IssueRequest struct {
	SellerID  uuid.UUID
	Scopes    []principal.Scope
	Purpose   string
	ExpiresAt *time.Time // nil: never
	Actor     string
	RequestID uuid.UUID
}

// ViewRequest asks to see the keys of a seller, or the text of the one with KeyID.
type ViewRequest struct {
	SellerID uuid.UUID
	KeyID    uuid.UUID
	Actor    string
}

// RevokeRequest ends a key.
type RevokeRequest struct {
	SellerID uuid.UUID
	KeyID    uuid.UUID
	Actor    string
	Reason   string
}

// Form reads the fields of a request about keys, as they come from the wire or the command line, and collects every
// problem, so that the caller learns all of them at once.
type Form struct{ problems []apierr.FieldError }

// Err is VALIDATION_ERROR with every problem, or nil.
func (f *Form) Err() error {
	if len(f.problems) == 0 {
		return nil
	}
	return apierr.Invalid(f.problems...)
}

func (f *Form) refuse(field, code, message string) {
	f.problems = append(f.problems, apierr.FieldError{Field: field, Code: code, Message: message})
}

// UUID reads a required id in its usual spelling.
func (f *Form) UUID(field, value string) uuid.UUID {
	if value == "" {
		f.refuse(field, apierr.FieldRequired, "is required")
		return uuid.Nil
	}
	id, err := uuid.Parse(value)
	if err != nil || id == uuid.Nil || len(value) != len(id.String()) {
		f.refuse(field, apierr.FieldMalformed, "must be a UUID")
	}
	return id
}

// Text reads a required text of at most 200 characters.
func (f *Form) Text(field, value string) string {
	value = f.OptionalText(field, value)
	if value == "" {
		f.refuse(field, apierr.FieldRequired, "is required")
	}
	return value
}

// OptionalText reads a text of at most 200 characters without control characters; white space around it is cut.
func (f *Form) OptionalText(field, value string) string {
	value = strings.TrimSpace(value)
	switch {
	case !utf8.ValidString(value):
		f.refuse(field, apierr.FieldEncoding, "must be UTF-8")
	case utf8.RuneCountInString(value) > maxTextChars:
		f.refuse(field, apierr.FieldTooLong, fmt.Sprintf("has more than %d characters", maxTextChars))
	case strings.ContainsFunc(value, unicode.IsControl):
		f.refuse(field, apierr.FieldControl, "must not contain control characters")
	}
	return value
}

// Scopes reads at least one scope and returns them without repetition in the order of the specification, so that equal
// sets are equal texts.
func (f *Form) Scopes(field string, values []string) []principal.Scope {
	wanted := map[principal.Scope]bool{}
	for i, value := range values {
		scope := principal.Scope(value)
		if !scope.Known() {
			f.problems = append(f.problems, apierr.FieldError{
				Field: fmt.Sprintf("%s[%d]", field, i), Code: apierr.FieldNotAllowed, Message: "is not a scope", Allowed: scopeNames(),
			})
		}
		wanted[scope] = true
	}
	if len(values) == 0 {
		f.problems = append(f.problems, apierr.FieldError{
			Field: field, Code: apierr.FieldTooFew, Message: "needs at least one scope", Allowed: scopeNames(),
		})
	}
	granted := make([]principal.Scope, 0, len(wanted))
	for _, scope := range principal.All() {
		if wanted[scope] {
			granted = append(granted, scope)
		}
	}
	return granted
}

// Expiry reads an optional instant. Whether it lies in the future is decided on the database's clock by Decide.
func (f *Form) Expiry(field string, at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	if year := at.UTC().Year(); year < 1970 || year > 2200 {
		f.refuse(field, apierr.FieldRange, "must lie between the years 1970 and 2200")
	}
	exact := at.UTC().Truncate(time.Microsecond)
	return &exact
}

func scopeNames() []string {
	all := principal.All()
	names := make([]string, len(all))
	for i, scope := range all {
		names[i] = string(scope)
	}
	return names
}
