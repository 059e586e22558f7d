package rest

import (
	"errors"
	"maps"
	"strings"

	"connectrpc.com/connect"

	"sellerapi.dev/pkg/apierr"
)

// renaming are the names that fields of the intakes have in the bodies of the sandbox, the longest first.
var renaming = []struct{ from, to string }{
	{"orders[0].sellers[0].", ""},
	{"orders[0].contact.", "contact."},
	{"orders[0].member_id", "member"},
	{"orders[0].", ""},
	{"inquiries[0].", ""},
	{"shipment.", ""},
}

// refused converts the refusal of an intake to one of the sandbox: with the names of its own fields, and without a code of the
// table, when the rules of the market refuse what is asked for, as VALIDATION_ERROR of the field.
func refused(err error, field string) error {
	if err == nil {
		return nil
	}
	row := apierr.From(err)
	var received *connect.Error
	isRule := errors.As(err, &received) && (received.Code() == connect.CodeFailedPrecondition ||
		received.Code() == connect.CodeInvalidArgument || received.Code() == connect.CodeAlreadyExists)
	switch {
	case row.Code == apierr.BadUpstream && isRule:
		return apierr.Invalid(apierr.FieldError{Field: field, Code: apierr.FieldNotAllowed, Message: received.Message()}).Because(err)
	case row.Code == apierr.ValidationError:
		return apierr.ValidationError.With(renamed(row.Data)).Because(err)
	default:
		return err
	}
}

func renamed(data map[string]any) map[string]any {
	listed, _ := data["errors"].([]any)
	fields := make([]apierr.FieldError, 0, len(listed))
	for _, one := range listed {
		problem, _ := one.(map[string]any)
		field := apierr.FieldError{Field: text(problem["field"]), Code: text(problem["code"]), Message: text(problem["message"])}
		for _, name := range renaming {
			if rest, found := strings.CutPrefix(field.Field, name.from); found {
				field.Field = name.to + rest
				break
			}
		}
		allowed, _ := problem["allowed"].([]any)
		for _, value := range allowed {
			field.Allowed = append(field.Allowed, text(value))
		}
		fields = append(fields, field)
	}
	data = maps.Clone(data)
	data["errors"] = fields
	return data
}

// notAllowed returns VALIDATION_ERROR for a field.
func notAllowed(field, message, korean string) error {
	return apierr.Invalid(apierr.Problem(field, apierr.FieldNotAllowed, apierr.Phrase{English: message, Korean: korean}))
}
