package apierr

import (
	"context"
	"errors"
	"maps"
	"time"
)

// Error is a code with the details of one failure.
type Error struct {
	// Code determines the status, the text and everything else that the table
	// defines.
	Code Code
	// Data becomes error_data of the response. The writer adds request_id.
	Data map[string]any
	// Hint states what the client probably meant; it is appended to the text of
	// the code.
	Hint Phrase
	// Cause is for the log only.
	Cause error
	// RetryAfter overrides the default of the code when it is positive.
	RetryAfter time.Duration
}

// Error returns the name of the code and the cause, for logs.
func (e *Error) Error() string {
	if e.Cause == nil {
		return e.Code.Error()
	}
	return e.Code.Error() + ": " + e.Cause.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Is makes errors.Is(err, apierr.OrderNotFound) true for every error with that
// code, whatever data it carries.
func (e *Error) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

// With returns a copy with these data added to the existing ones.
func (e *Error) With(data map[string]any) *Error {
	merged := make(map[string]any, len(e.Data)+len(data))
	maps.Copy(merged, e.Data)
	maps.Copy(merged, data)
	changed := *e
	changed.Data = merged
	return &changed
}

// Meaning returns a copy with a hint at what the client probably meant.
func (e *Error) Meaning(hint Phrase) *Error {
	changed := *e
	changed.Hint = hint
	return &changed
}

// Because returns a copy with this cause.
func (e *Error) Because(cause error) *Error {
	changed := *e
	changed.Cause = cause
	return &changed
}

// After returns a copy that asks the client to wait this long.
func (e *Error) After(wait time.Duration) *Error {
	changed := *e
	changed.RetryAfter = wait
	return &changed
}

// RetryAfterSeconds returns the value of the Retry-After header: the error's own
// wait, rounded up so that a client that obeys it is never early, or the default
// of the code. 0 means that the header is absent.
func (e *Error) RetryAfterSeconds() int {
	if e.RetryAfter > 0 {
		return int((e.RetryAfter + time.Second - 1) / time.Second)
	}
	return e.Code.RetryAfter()
}

// From returns the row that an error stands for. An error without a code is
// [Internal]; an exceeded deadline is [UpstreamTimeout]; a canceled context, as
// at shutdown, is [Unavailable]. The whole wrapped error is kept as the cause,
// so that the log loses nothing. From(nil) is nil.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	var failure *Error
	var code Code
	switch {
	case errors.As(err, &failure):
		if failure == nil {
			return Internal.Because(errNil)
		}
		return known(failure).wrappedBy(err)
	case errors.As(err, &code):
		return known(&Error{Code: code}).wrappedBy(err)
	case errors.Is(err, context.DeadlineExceeded):
		return UpstreamTimeout.Because(err)
	case errors.Is(err, context.Canceled):
		return Unavailable.Because(err)
	default:
		return Internal.Because(err)
	}
}

var errNil = errors.New("a nil *apierr.Error was returned as an error")

// wrappedBy makes all of err the cause, unless err is e or its bare code and
// adds nothing.
func (e *Error) wrappedBy(err error) *Error {
	if err.Error() == e.Error() {
		return e
	}
	return e.Because(err)
}

// known replaces an error whose code is not in the table by Internal.
func known(e *Error) *Error {
	if _, ok := rowByCode[e.Code]; ok {
		return e
	}
	return Internal.Because(e)
}
