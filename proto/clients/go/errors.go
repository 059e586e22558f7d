package sellerapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Error is a response that refuses the call.
type Error struct {
	// Operation is the name of the operation in the interface description, such as ship_order.
	Operation string
	// Status is the HTTP status.
	Status int
	// Code is the fixed code; empty if the response has none.
	Code Code
	// Message is for people. It may be reworded at any time; do not branch on it.
	Message string
	// RequestID identifies the request in the server's log. Quote it when you report a problem.
	RequestID string
	// Data are the details of the code; RawData is the same as received, for members that this package does not
	// know.
	Data    ErrorData
	RawData json.RawMessage
	// RetryAfter is how long the server asked to wait; zero if it did not.
	RetryAfter time.Duration
	// IdempotencyKey is the key of the process call; empty for reads.
	IdempotencyKey string
	// Attempts is how many times the request was sent.
	Attempts int
}

// Error implements error.
func (e *Error) Error() string {
	code := string(e.Code)
	if code == "" {
		code = http.StatusText(e.Status)
	}
	return fmt.Sprintf("%s: %d %s: %s (request %s)", e.Operation, e.Status, code, e.Message, e.RequestID)
}

// Is makes errors.Is work with a Code.
func (e *Error) Is(target error) bool {
	code, isCode := target.(Code)
	return isCode && code != "" && code == e.Code
}

// Field returns the error of a field of the request, such as "items[3].tracking_no" or "query.limit", after
// VALIDATION_ERROR.
func (e *Error) Field(name string) (FieldError, bool) {
	for _, field := range e.Data.Errors {
		if field.Field == name {
			return field, true
		}
	}
	return FieldError{}, false
}

// UnansweredError means that there was no usable response: a broken connection, a timeout, the end of the context.
// A process call may have had its effect. Sending the same request again with the same key is safe.
type UnansweredError struct {
	// Operation is the name of the operation in the interface description.
	Operation string
	// IdempotencyKey is the key of the process call; empty for reads.
	IdempotencyKey string
	// Attempts is how many times the request was sent.
	Attempts int
	// Err is the error of the last attempt.
	Err error
}

// Error implements error.
func (e *UnansweredError) Error() string {
	return fmt.Sprintf("%s: no answer (tries: %d): %v", e.Operation, e.Attempts, e.Err)
}

// Unwrap returns the cause.
func (e *UnansweredError) Unwrap() error { return e.Err }

// CodeOf returns the code of an error, or an empty code if it has none.
func CodeOf(err error) Code {
	var refused *Error
	if errors.As(err, &refused) {
		return refused.Code
	}
	return ""
}

// Temporary reports whether the same request, with the same key, may succeed later. A call that fails with such an
// error was already retried for a while.
func Temporary(err error) bool {
	var refused *Error
	if errors.As(err, &refused) {
		switch refused.Code { //nolint:exhaustive // the other codes are distinguished by their status
		case CodeIdempotencyInProgress, CodeQnAAnswerUnresolved, CodeExchangeItemShipFailed:
			return true
		}
		return passingStatus(refused.Status)
	}
	var unanswered *UnansweredError
	return errors.As(err, &unanswered) && repeatable(unanswered.Err) && !errors.Is(err, context.Canceled)
}
