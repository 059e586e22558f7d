package web

import "sellerapi.dev/pkg/apierr"

// maxProblems bounds what one answer reports. A batch with a mistake in every
// entry would otherwise be answered with more than it sent.
const maxProblems = 100

// problems collects what is wrong with a request.
type problems struct {
	list []apierr.FieldError
}

func (p *problems) add(field, code, message string, allowed ...string) {
	if len(p.list) < maxProblems {
		p.list = append(p.list, apierr.FieldError{Field: field, Code: code, Message: message, Allowed: allowed})
	}
}

// err is the VALIDATION_ERROR over all problems, or nil.
func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	return apierr.Invalid(p.list...)
}
