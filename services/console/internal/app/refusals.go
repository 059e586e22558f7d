package app

import (
	"errors"
	"strings"

	"connectrpc.com/connect"

	"sellerapi.dev/pkg/apierr"
)

// invalid returns what the gateway says is wrong with a message, by its fields; false for another error.
func invalid(err error) (map[string]string, bool) {
	row, ok := errors.AsType[*apierr.Error](err)
	if !ok || row.Code != apierr.ValidationError {
		return nil, false
	}
	listed, _ := row.Data["errors"].([]any)
	problems := map[string]string{}
	for _, one := range listed {
		problem, _ := one.(map[string]any)
		field, _ := problem["field"].(string)
		message, _ := problem["message"].(string)
		name, _, _ := strings.Cut(field, "[")
		problems[name] = message
	}
	return problems, true
}

// refusalText returns the text of a refusal of the gateway by a rule of its own, which is for people: too many keys, a taken
// address. False for another error.
func refusalText(err error) (string, bool) {
	received, ok := errors.AsType[*connect.Error](err)
	if !ok {
		return "", false
	}
	switch received.Code() {
	case connect.CodeResourceExhausted, connect.CodeAlreadyExists, connect.CodeFailedPrecondition, connect.CodeAborted:
		return received.Message(), true
	default:
		return "", false
	}
}
