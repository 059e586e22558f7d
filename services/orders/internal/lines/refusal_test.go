package lines_test

import (
	"testing"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/structpb"
)

// refusal is the part of an error that the claims service reads.
type refusal struct {
	code      connect.Code
	errorCode string
	// reason is the reason in error_data.
	reason string
	// fields are the fields that a VALIDATION_ERROR names.
	fields []string
}

// The refusals without a reason.
var (
	orderNotFound   = refusal{code: connect.CodeNotFound, errorCode: "ORDER_NOT_FOUND"}
	itemNotFound    = refusal{code: connect.CodeNotFound, errorCode: "ORDER_ITEM_NOT_FOUND"}
	claimNotFound   = refusal{code: connect.CodeNotFound, errorCode: "CLAIM_NOT_FOUND"}
	hasActiveClaim  = refusal{code: connect.CodeFailedPrecondition, errorCode: "ORDER_ITEM_HAS_ACTIVE_CLAIM"}
	notShippedNow   = refusal{code: connect.CodeAborted, errorCode: "EXCHANGE_ITEM_SHIP_FAILED"}
	noSuchCarrier   = refusal{code: connect.CodeInvalidArgument, errorCode: "SHIPMENT_CARRIER_NOT_ALLOWED"}
	noTrackingNo    = refusal{code: connect.CodeInvalidArgument, errorCode: "SHIPMENT_FIELDS_REQUIRED"}
	notApprovable   = precondition("CLAIM_NOT_APPROVABLE")
	notInspectable  = precondition("CLAIM_NOT_INSPECTABLE")
	notReshippable  = precondition("CLAIM_NOT_RESHIPPABLE")
	validationError = func(fields ...string) refusal {
		return refusal{code: connect.CodeInvalidArgument, errorCode: "VALIDATION_ERROR", fields: fields}
	}
)

// precondition returns a constructor of refusals with a reason.
func precondition(errorCode string) func(reason string) refusal {
	return func(reason string) refusal {
		return refusal{code: connect.CodeFailedPrecondition, errorCode: errorCode, reason: reason}
	}
}

// refuses makes a call that must be refused and change nothing.
func refuses[I, O any](b *fixture, want refusal, call procedure[I, O], message *I) {
	b.t.Helper()
	before := b.state()
	_, err := call(b.t.Context(), message)
	require.Equal(b.t, want, refusalOf(b.t, err))
	require.Equal(b.t, before, b.state(), "a refusal changes nothing")
}

// refusalOf decodes an error as it was sent.
func refusalOf(t *testing.T, err error) refusal {
	t.Helper()
	var sent *connect.Error
	require.ErrorAs(t, err, &sent)
	read := refusal{code: sent.Code(), errorCode: sent.Meta().Get("x-error-code")}
	for _, detail := range sent.Details() {
		value, err := detail.Value()
		require.NoError(t, err)
		content, ok := value.(*structpb.Struct)
		if !ok {
			continue
		}
		data := content.GetFields()["error_data"].GetStructValue().GetFields()
		read.reason = data["reason"].GetStringValue()
		for _, problem := range data["errors"].GetListValue().GetValues() {
			read.fields = append(read.fields, problem.GetStructValue().GetFields()["field"].GetStringValue())
		}
	}
	return read
}
