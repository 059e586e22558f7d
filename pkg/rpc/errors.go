package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/structpb"

	"sellerapi.dev/pkg/apierr"
)

const (
	headerErrorCode  = "x-error-code"
	headerRetryAfter = "retry-after"
)

var rpcCodes = map[int]connect.Code{
	http.StatusOK:                    connect.CodeInternal, // ORDER_BATCH_ERROR stands for a failure inside a success
	http.StatusBadRequest:            connect.CodeInvalidArgument,
	http.StatusUnauthorized:          connect.CodeUnauthenticated,
	http.StatusForbidden:             connect.CodePermissionDenied,
	http.StatusNotFound:              connect.CodeNotFound,
	http.StatusMethodNotAllowed:      connect.CodeUnimplemented,
	http.StatusConflict:              connect.CodeFailedPrecondition,
	http.StatusGone:                  connect.CodeFailedPrecondition,
	http.StatusRequestEntityTooLarge: connect.CodeResourceExhausted,
	http.StatusUnsupportedMediaType:  connect.CodeInvalidArgument,
	http.StatusUnprocessableEntity:   connect.CodeInvalidArgument,
	http.StatusTooManyRequests:       connect.CodeResourceExhausted,
	http.StatusInternalServerError:   connect.CodeInternal,
	http.StatusBadGateway:            connect.CodeInternal,
	http.StatusServiceUnavailable:    connect.CodeUnavailable,
	http.StatusGatewayTimeout:        connect.CodeDeadlineExceeded,
}

// rpcCode returns the RPC code of a row. A transient conflict is aborted, a permanent one is a failed precondition.
func rpcCode(code apierr.Code) connect.Code {
	if code.Status() == http.StatusConflict && !code.Stored() {
		return connect.CodeAborted
	}
	if known, ok := rpcCodes[code.Status()]; ok {
		return known
	}
	return connect.CodeInternal
}

// toWire converts the error of a handler to the error that is sent, and returns the row for log and metrics. A handler may also
// return its own Connect error, which is sent unchanged and has no row; one from a peer is converted.
func toWire(ctx context.Context, err error) (*connect.Error, *apierr.Error) {
	var own *connect.Error
	if !isOurs(err) && errors.As(err, &own) && !connect.IsWireError(own) {
		return own, nil
	}
	if !isOurs(err) && errors.Is(err, context.Canceled) && errors.Is(ctx.Err(), context.Canceled) {
		return connect.NewError(connect.CodeCanceled, errors.New("the caller has disconnected")), nil
	}
	row := apierr.From(err)
	sent := connect.NewError(rpcCode(row.Code), errors.New(wireMessage(row)))
	sent.Meta().Set(headerErrorCode, string(row.Code))
	if seconds := row.RetryAfterSeconds(); seconds > 0 {
		sent.Meta().Set(headerRetryAfter, strconv.Itoa(seconds))
	}
	if detail := wireDetail(row); detail != nil {
		sent.AddDetail(detail)
	}
	return sent, row
}

// isOurs reports whether the error names a row of the table.
func isOurs(err error) bool {
	var wrapped *apierr.Error
	var code apierr.Code
	return errors.As(err, &wrapped) || errors.As(err, &code)
}

// wireMessage returns the row's English text, with the path of every invalid field.
func wireMessage(row *apierr.Error) string {
	message := row.Code.Message(apierr.English)
	fields, _ := row.Data["errors"].([]apierr.FieldError)
	if len(fields) == 0 {
		return message
	}
	parts := make([]string, 0, len(fields))
	for _, field := range fields {
		parts = append(parts, field.Field+": "+field.Message)
	}
	return message + " " + strings.Join(parts, "; ")
}

// Data that cannot be encoded is omitted, so that the call still fails with its own error.
func wireDetail(row *apierr.Error) *connect.ErrorDetail {
	content := map[string]any{"error_code": string(row.Code)}
	if len(row.Data) > 0 {
		content["error_data"] = row.Data
	}
	text, err := json.Marshal(content)
	if err != nil {
		return nil
	}
	message := &structpb.Struct{}
	if err := message.UnmarshalJSON(text); err != nil {
		return nil
	}
	detail, err := connect.NewErrorDetail(message)
	if err != nil {
		return nil
	}
	return detail
}

// fromWire converts the error of a call to a row of the table, with the error itself as the cause. Numbers in the data become
// float64.
func fromWire(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return context.Cause(ctx)
	}
	var received *connect.Error
	if !errors.As(err, &received) {
		return apierr.BadUpstream.Because(err)
	}
	if connect.IsWireError(err) {
		if row := peerRow(received); row != nil {
			return row.Because(err)
		}
	}
	switch received.Code() {
	case connect.CodeUnavailable:
		return apierr.Unavailable.Because(err)
	case connect.CodeDeadlineExceeded:
		return apierr.UpstreamTimeout.Because(err)
	case connect.CodeUnauthenticated, connect.CodePermissionDenied:
		return apierr.Internal.Because(err)
	default:
		return apierr.BadUpstream.Because(err)
	}
}

// peerRow returns the row that a peer named, nil if it named none. A refusal of our own credential is not passed on.
func peerRow(received *connect.Error) *apierr.Error {
	code, ok := apierr.Lookup(received.Meta().Get(headerErrorCode))
	if !ok || code == apierr.Unauthenticated {
		return nil
	}
	row := code.With(peerData(received))
	if seconds, err := strconv.Atoi(received.Meta().Get(headerRetryAfter)); err == nil && seconds > 0 {
		row = row.After(time.Duration(seconds) * time.Second)
	}
	return row
}

// peerData returns the error_data of the error, nil if there is none.
func peerData(received *connect.Error) map[string]any {
	for _, detail := range received.Details() {
		value, err := detail.Value()
		if err != nil {
			continue
		}
		if content, ok := value.(*structpb.Struct); ok {
			data, _ := content.AsMap()["error_data"].(map[string]any)
			return data
		}
	}
	return nil
}
