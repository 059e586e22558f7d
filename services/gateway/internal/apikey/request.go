package apikey

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/services/gateway/internal/audit"
)

// RegisterRequest is a request to register a seller.
type RegisterRequest struct {
	SellerID uuid.UUID
	Name     string
	Author   audit.Author
}

// IssueRequest is a request for a new key.
type IssueRequest struct {
	SellerID  uuid.UUID
	Scopes    []principal.Scope
	Purpose   string
	ExpiresAt *time.Time // nil: never
	Author    audit.Author
	RequestID uuid.UUID
}

// ViewRequest is a request for the keys of a seller, or the text of the one with KeyID.
type ViewRequest struct {
	SellerID uuid.UUID
	KeyID    uuid.UUID
	Author   audit.Author
}

// RevokeRequest is a request to revoke a key.
type RevokeRequest struct {
	SellerID uuid.UUID
	KeyID    uuid.UUID
	Author   audit.Author
	Reason   string
}

var keyText = invalid.Text{Max: 200, NoControls: true}

// Form reads the fields of a request about keys from the wire or the command line, and collects all problems, so that the caller
// gets them at once.
type Form struct{ problems invalid.Problems }

// Err returns VALIDATION_ERROR with every problem, or nil.
func (f *Form) Err() error { return f.problems.Err() }

// Add adds a problem of a field.
func (f *Form) Add(field, code, message string) { f.problems.Add(field, code, message) }

// UUID reads a required id in canonical form.
func (f *Form) UUID(field, value string) uuid.UUID {
	if value == "" {
		f.problems.Add(field, apierr.FieldRequired, "is required")
		return uuid.Nil
	}
	return f.problems.UUID(field, value)
}

// Text reads a required text of at most 200 characters.
func (f *Form) Text(field, value string) string {
	value = f.OptionalText(field, value)
	if value == "" {
		f.problems.Add(field, apierr.FieldRequired, "is required")
	}
	return value
}

// OptionalText reads a text of at most 200 characters without control characters; surrounding white space is trimmed.
func (f *Form) OptionalText(field, value string) string {
	value = strings.TrimSpace(value)
	f.problems.Text(field, value, keyText)
	return value
}

// Scopes reads at least one scope and returns them without duplicates in the order of the specification, so that equal sets have
// equal texts.
func (f *Form) Scopes(field string, values []string) []principal.Scope {
	wanted := map[principal.Scope]bool{}
	for i, value := range values {
		scope := principal.Scope(value)
		if !scope.Known() {
			f.problems.NotAllowed(fmt.Sprintf("%s[%d]", field, i), invalid.Names(principal.All())...)
		}
		wanted[scope] = true
	}
	if len(values) == 0 {
		f.problems.Add(field, apierr.FieldTooFew, "must have at least 1 element", invalid.Names(principal.All())...)
	}
	granted := make([]principal.Scope, 0, len(wanted))
	for _, scope := range append(principal.All(), principal.Sandbox) {
		if wanted[scope] {
			granted = append(granted, scope)
		}
	}
	return granted
}

// scopeNotAllowed returns VALIDATION_ERROR for a scope that keys do not carry.
func scopeNotAllowed(field string) error {
	var problems invalid.Problems
	problems.NotAllowed(field, invalid.Names(principal.All())...)
	return problems.Err()
}

// Time reads an optional time. Of an expiry Decide checks with the database's clock whether it is in the future.
func (f *Form) Time(field string, at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	if year := at.UTC().Year(); year < 1970 || year > 2200 {
		f.problems.Add(field, apierr.FieldRange, "must lie between the years 1970 and 2200")
	}
	exact := at.UTC().Truncate(time.Microsecond)
	return &exact
}
