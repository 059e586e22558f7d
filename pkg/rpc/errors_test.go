package rpc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
)

// Every row of the error table arrives with its code, data and Retry-After, but without its
// cause.
func TestErrors_rows(t *testing.T) {
	t.Parallel()
	for _, row := range apierr.Codes() {
		t.Run(string(row.Code), func(t *testing.T) {
			t.Parallel()
			s := serve(t, failing(fmt.Errorf("load order: %w", row.Code.With(map[string]any{
				"item":  "i1",
				"count": 3,
			}).Because(errors.New("canary")))))
			_, err := s.call(t, "")
			require.NotContains(t, err.(*apierr.Error).Cause.Error(), "canary") //nolint:errorlint // the client returns the type itself
			if row.Code == apierr.Unauthenticated {
				require.ErrorIs(t, err, apierr.Internal, "refused service credentials are an internal error")
				return
			}
			var got *apierr.Error
			require.ErrorAs(t, err, &got)
			require.Equal(t, row.Code, got.Code)
			require.Equal(t, map[string]any{"item": "i1", "count": 3.0}, got.Data)
			require.Equal(t, row.Code.RetryAfter(), got.RetryAfterSeconds())
		})
	}
}

// The code of the RPC follows from the row of the error table.
func TestErrors_rpcCode(t *testing.T) {
	t.Parallel()
	for code, want := range map[apierr.Code]connect.Code{
		apierr.ValidationError:        connect.CodeInvalidArgument,
		apierr.ShipmentFieldsRequired: connect.CodeInvalidArgument,
		apierr.ScopeForbidden:         connect.CodePermissionDenied,
		apierr.ClaimNotFound:          connect.CodeNotFound,
		apierr.OrderItemNotShippable:  connect.CodeFailedPrecondition,
		apierr.IdempotencyInProgress:  connect.CodeAborted,
		apierr.RateLimited:            connect.CodeResourceExhausted,
		apierr.BodyTooLarge:           connect.CodeResourceExhausted,
		apierr.Internal:               connect.CodeInternal,
		apierr.Unavailable:            connect.CodeUnavailable,
		apierr.UpstreamTimeout:        connect.CodeDeadlineExceeded,
	} {
		t.Run(string(code), func(t *testing.T) {
			t.Parallel()
			_, err := serve(t, failing(code)).call(t, "")
			require.Equal(t, want, connect.CodeOf(err))
		})
	}
}

func TestErrors_invalidArgumentNamesFields(t *testing.T) {
	t.Parallel()
	s := serve(t, failing(apierr.Invalid(
		apierr.FieldError{Field: "orders[3].lines[0].quantity", Code: apierr.FieldRange, Message: "must be 1 or more"},
		apierr.FieldError{Field: "orders[4].order_no", Code: apierr.FieldRequired, Message: "is required"},
	)))
	response := s.post(t, say, `""`, curlHeader(t))
	var body struct {
		Code, Message string
		Details       []struct {
			Type  string
			Debug map[string]any
		}
	}
	require.NoError(t, json.Unmarshal([]byte(response.body), &body))
	require.Equal(t, "invalid_argument", body.Code)
	require.Contains(t, body.Message, "orders[3].lines[0].quantity: must be 1 or more; orders[4].order_no: is required")
	require.Equal(t, "VALIDATION_ERROR", response.header.Get("X-Error-Code"))
	require.Equal(t, "google.protobuf.Struct", body.Details[0].Type)
	require.Equal(t, map[string]any{
		"error_code": "VALIDATION_ERROR",
		"error_data": map[string]any{"errors": []any{
			map[string]any{"field": "orders[3].lines[0].quantity", "code": "range", "message": "must be 1 or more"},
			map[string]any{"field": "orders[4].order_no", "code": "required", "message": "is required"},
		}},
	}, body.Details[0].Debug)
}

func TestErrors_retryAfterCrossesTheWire(t *testing.T) {
	t.Parallel()
	_, err := serve(t, failing(apierr.RateLimited.With(nil).After(17*time.Second))).call(t, "")
	var got *apierr.Error
	require.ErrorAs(t, err, &got)
	require.Equal(t, 17*time.Second, got.RetryAfter)
}

// An error that is not in the table, or cannot be sent, arrives as an internal error without its cause.
func TestErrors_unknown(t *testing.T) {
	t.Parallel()
	for name, problem := range map[string]error{
		"error without a code":         errors.New("canary"),
		"unknown code":                 apierr.Code("CANARY_UNKNOWN"),
		"data that JSON cannot encode": apierr.Internal.With(map[string]any{"canary": func() {}}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, failing(problem))
			_, err := s.call(t, "")
			require.ErrorIs(t, err, apierr.Internal)
			require.Equal(t, connect.CodeInternal, connect.CodeOf(err))
			require.NotContains(t, err.(*apierr.Error).Cause.Error(), "anary") //nolint:errorlint // the client returns the type itself
		})
	}
}

func TestErrors_connectErrorOfHandlerAndPeer(t *testing.T) {
	t.Parallel()
	_, err := serve(t, failing(connect.NewError(connect.CodeAlreadyExists, errors.New("twice")))).call(t, "")
	require.Equal(t, connect.CodeAlreadyExists, connect.CodeOf(err))
	require.ErrorIs(t, err, apierr.BadUpstream)

	_, err = serve(t, failing(connect.NewWireError(connect.CodeAlreadyExists, errors.New("canary of a peer")))).call(t, "")
	require.ErrorIs(t, err, apierr.Internal)
	require.NotContains(t, err.(*apierr.Error).Cause.Error(), "canary") //nolint:errorlint // the client returns the type itself
}

func TestClient_canceledCallReturnsItsCause(t *testing.T) {
	t.Parallel()
	reason := errors.New("shutting down")
	ctx, cancel := context.WithCancelCause(t.Context())
	ended := make(chan struct{})
	s := serve(t, func(ctx context.Context, _ *text) (*text, error) {
		cancel(reason)
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	})
	_, err := s.client(t, s.url).CallUnary(ctx, connect.NewRequest(&text{}))
	require.ErrorIs(t, err, reason)
	<-ended
}
