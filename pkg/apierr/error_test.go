package apierr_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
)

var errDisk = errors.New("disk full")

// Every error stands for one row of the table, however it is wrapped or joined with others.
func TestFrom_findsRowOfError(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want apierr.Code
	}{
		"a code":                    {apierr.OrderNotFound, apierr.OrderNotFound},
		"a wrapped code":            {fmt.Errorf("load: %w", apierr.OrderNotFound), apierr.OrderNotFound},
		"an error":                  {apierr.RateLimited.After(time.Second), apierr.RateLimited},
		"a wrapped error":           {fmt.Errorf("x: %w", apierr.Unavailable.Because(errDisk)), apierr.Unavailable},
		"joined with others":        {errors.Join(errDisk, apierr.ClaimNotFound), apierr.ClaimNotFound},
		"a deadline":                {fmt.Errorf("query: %w", context.DeadlineExceeded), apierr.UpstreamTimeout},
		"a cancellation":            {context.Canceled, apierr.Unavailable},
		"anything else":             {errDisk, apierr.Internal},
		"a code beats its deadline": {apierr.Unavailable.Because(context.DeadlineExceeded), apierr.Unavailable},
		"a nil pointer":             {(*apierr.Error)(nil), apierr.Internal},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, apierr.From(c.err).Code)
		})
	}
	require.Nil(t, apierr.From(nil))
}

// The operator must see the texts with which an error was wrapped.
func TestFrom_keepsWrappingAsCause(t *testing.T) {
	t.Parallel()
	wrapped := fmt.Errorf("take the seller clock: %w", apierr.Unavailable.Because(errDisk))
	failure := apierr.From(wrapped)
	require.Equal(t, wrapped, failure.Cause)
	require.ErrorIs(t, failure, errDisk)
	require.ErrorIs(t, failure, apierr.Unavailable)

	bare := apierr.From(apierr.OrderNotFound)
	require.NoError(t, bare.Cause, "a bare code needs no cause")
}

// The data and the waiting time of a wrapped error are kept.
func TestFrom_keepsDataAndWait(t *testing.T) {
	t.Parallel()
	inner := apierr.RateLimited.With(map[string]any{"limit": "rows"}).After(12 * time.Second)
	failure := apierr.From(fmt.Errorf("admit: %w", inner))
	require.Equal(t, map[string]any{"limit": "rows"}, failure.Data)
	require.Equal(t, 12, failure.RetryAfterSeconds())
}

// Errors are equal for errors.Is when their codes are, whatever data they carry.
func TestError_comparedByCode(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("ship: %w", apierr.OrderItemNotShippable.With(map[string]any{"a": 1}))
	require.ErrorIs(t, err, apierr.OrderItemNotShippable)
	require.NotErrorIs(t, err, apierr.OrderNotFound)
	require.ErrorIs(t, error(apierr.OrderNotFound), apierr.OrderNotFound)
}

// With, Because and After change a copy and leave the original unchanged.
func TestError_copiesLeaveOriginal(t *testing.T) {
	t.Parallel()
	original := apierr.ScopeForbidden.With(map[string]any{"required_scope": "orders:read"})
	changed := original.With(map[string]any{"more": 1}).Because(errDisk).After(time.Minute)
	require.Equal(t, map[string]any{"required_scope": "orders:read"}, original.Data)
	require.NoError(t, original.Cause)
	require.Zero(t, original.RetryAfter)
	require.Equal(t, map[string]any{"required_scope": "orders:read", "more": 1}, changed.Data)
	require.Equal(t, errDisk, changed.Unwrap())
	require.Equal(t, "SCOPE_FORBIDDEN: disk full", changed.Error())
}

// A client that waits exactly as long as it is told must not be early.
func TestRetryAfter_roundedUp(t *testing.T) {
	t.Parallel()
	for wait, want := range map[time.Duration]int{
		time.Nanosecond:               1,
		time.Second:                   1,
		time.Second + time.Nanosecond: 2,
		59*time.Second + 1:            60,
		0:                             60, // the default of the row
	} {
		require.Equal(t, want, apierr.RateLimited.With(nil).After(wait).RetryAfterSeconds(), wait)
	}
	require.Zero(t, apierr.OrderNotFound.With(nil).RetryAfterSeconds())
}

// A validation error lists its fields in the published format.
func TestInvalid_publishedShapeOfFields(t *testing.T) {
	t.Parallel()
	failure := apierr.Invalid(
		apierr.FieldError{Field: "query.status", Code: apierr.FieldNotAllowed, Message: "m", Allowed: []string{"waiting"}},
		apierr.FieldError{Field: "items[3].tracking_no", Code: apierr.FieldRequired, Message: "n"},
	)
	require.Equal(t, apierr.ValidationError, failure.Code)
	body, err := json.Marshal(failure.Data)
	require.NoError(t, err)
	require.JSONEq(t, `{"errors":[
		{"field":"query.status","code":"not_allowed","message":"m","allowed":["waiting"]},
		{"field":"items[3].tracking_no","code":"required","message":"n"}]}`, string(body))
}

// The message names the field and its problem: English as a sentence, Korean after a colon, since a particle would depend on
// the name.
func TestMessage_fieldAndProblem(t *testing.T) {
	t.Parallel()
	failure := apierr.Invalid(
		apierr.Problem("tracking_no", apierr.FieldRequired, apierr.IsMissing),
		apierr.Problem("memo", apierr.FieldNull, apierr.IsNull),
	)
	require.Equal(t, "tracking_no is missing; 1 more problem", failure.Message(apierr.English))
	require.Equal(t, "tracking_no: 필수 항목입니다. 값을 보내 주세요 (그 밖에 1건)", failure.Message(apierr.Korean))
}

// A few allowed values are named, so that the message alone is enough; a long list would hide what is wrong.
func TestNotAllowed_namesFewValues(t *testing.T) {
	t.Parallel()
	few := apierr.NotAllowed([]string{"pass", "fail"})
	require.Equal(t, "is not one of the allowed values: pass, fail", few.English)
	require.Equal(t, "허용된 값이 아닙니다. 허용되는 값: pass, fail", few.Korean)
	require.Equal(t, apierr.NotAmongAllowed, apierr.NotAllowed(nil))
	require.Equal(t, apierr.NotAmongAllowed, apierr.NotAllowed(make([]string, 9)))
}
