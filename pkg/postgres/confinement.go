package postgres

import (
	"errors"
	"fmt"
)

// ImpairmentRowSecurity names, in /readyz and the metric, sessions that row-level security does not confine although it should.
const ImpairmentRowSecurity = "row_security"

// ErrUnconfined says that a statement that forgets its seller would find the rows of all: row-level security is on, but the
// role is exempt from it, or its sessions do not begin with a seller that has no rows.
var ErrUnconfined error = impairmentError{
	ImpairmentRowSecurity,
	"row-level security does not confine the sessions of the service",
}

// errAllRowsHidden says that no statement of the service would find a row.
var errAllRowsHidden = errors.New("row-level security is off for the service, but its sessions begin with app.seller, which " +
	"hides all rows")

// confinement is what row-level security does to a session that has not set a seller.
type confinement struct {
	role string
	// seller is the value of the setting with which the policies compare.
	seller string
	// active reports whether the policies of all tables apply to the role; nil if no table has one.
	active *bool
}

// check returns nil if this is what the configuration wants: see ErrUnconfined and errAllRowsHidden.
func (c confinement) check(wanted bool) error {
	switch {
	case c.active == nil:
		return nil
	case !wanted && *c.active && c.seller == noSeller:
		return fmt.Errorf("%w: run `alter role %s reset %s`", errAllRowsHidden, c.role, sellerSetting)
	case !wanted:
		return nil
	case !*c.active:
		return fmt.Errorf("%w: role %s is a superuser or has bypassrls", ErrUnconfined, c.role)
	case c.seller != noSeller:
		return fmt.Errorf("%w: run `alter role %s set %s = '%s'`", ErrUnconfined, c.role, sellerSetting, noSeller)
	}
	return nil
}
