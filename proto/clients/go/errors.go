package sellerapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Error is an answer that refuses the call.
type Error struct {
	// Operation is the name of the operation in the interface description, such as ship_order.
	Operation string
	// Status is the HTTP status.
	Status int
	// Code is the fixed code; empty when the answer has none.
	Code Code
	// Message is for people. It may be reworded at any time; never branch on it.
	Message string
	// RequestID names the request in the server's log. Quote it when you report a problem.
	RequestID string
	// Data is what came with the code; RawData is the same as it came, for members that this package does not know.
	Data    ErrorData
	RawData json.RawMessage
	// RetryAfter is how long the server asked to wait; zero when it did not.
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

// Is lets errors.Is compare with a Code.
func (e *Error) Is(target error) bool {
	code, isCode := target.(Code)
	return isCode && code != "" && code == e.Code
}

// Field returns what is wrong with a field of the request, such as "items[3].tracking_no" or "query.limit", after
// VALIDATION_ERROR.
func (e *Error) Field(name string) (FieldError, bool) {
	for _, field := range e.Data.Errors {
		if field.Field == name {
			return field, true
		}
	}
	return FieldError{}, false
}

// UnansweredError says that no usable answer came: broken connections, time-outs, the end of the context. A process
// call may have had its effect. Sending the same request again with the same key is safe.
type UnansweredError struct {
	// Operation is the name of the operation in the interface description.
	Operation string
	// IdempotencyKey is the key of the process call; empty for reads.
	IdempotencyKey string
	// Attempts is how many times the request was sent.
	Attempts int
	// Err is what went wrong with the last try.
	Err error
}

// Error implements error.
func (e *UnansweredError) Error() string {
	return fmt.Sprintf("%s: no answer (tries: %d): %v", e.Operation, e.Attempts, e.Err)
}

// Unwrap returns the cause.
func (e *UnansweredError) Unwrap() error { return e.Err }

// CodeOf returns the code of an error, empty when it has none.
func CodeOf(err error) Code {
	var refused *Error
	if errors.As(err, &refused) {
		return refused.Code
	}
	return ""
}

// Temporary reports whether the same request, with the same key, may succeed later. Calls were repeated for a while
// already when they fail with such an error.
func Temporary(err error) bool {
	var refused *Error
	if errors.As(err, &refused) {
		switch refused.Code { //nolint:exhaustive // the other codes are judged by their status
		case CodeIdempotencyInProgress, CodeQnAAnswerUnresolved, CodeExchangeItemShipFailed:
			return true
		}
		return refused.Status == http.StatusTooManyRequests || refused.Status >= http.StatusInternalServerError
	}
	var unanswered *UnansweredError
	return errors.As(err, &unanswered) && repeatable(unanswered.Err) && !errors.Is(err, context.Canceled)
}

// ErrorData is what a client can act on after a failure. RequestID is always set, every other member with the codes
// that it names.
type ErrorData struct {
	RequestID string `json:"request_id"`
	// Errors is all that is wrong with the form of the request: VALIDATION_ERROR.
	Errors []FieldError `json:"errors,omitempty"`
	// Items are the items concerned: ORDER_ITEM_…, EXCHANGE_ITEM_NOT_…, SHIPMENT_STATE_CONFLICT.
	Items []ItemProblem `json:"items,omitempty"`
	// Status is the state of the claim (CLAIM_NOT_…, IDEMPOTENCY_UNRESOLVED, EXCHANGE_ITEM_SHIP_FAILED) or of the inquiry
	// (QNA_ALREADY_ANSWERED).
	Status string `json:"status,omitempty"`
	// AvailableActions is what can be done with the claim now.
	AvailableActions []ClaimAction `json:"available_actions,omitempty"`
	// Reason is "malformed" or "filters_changed" (INVALID_CURSOR), or what stands in the way (CLAIM_NOT_…).
	Reason string `json:"reason,omitempty"`
	// Field is the member with control characters: SHIPMENT_INPUT_INVALID.
	Field string `json:"field,omitempty"`
	// Allowed are the carriers: SHIPMENT_CARRIER_NOT_ALLOWED.
	Allowed []string `json:"allowed,omitempty"`
	// RequiredScope is what the key lacks: SCOPE_FORBIDDEN.
	RequiredScope string `json:"required_scope,omitempty"`
	// Limit is "read", "process" or "rows"; Max is how much it allows in WindowSeconds; RetryAfter are seconds:
	// RATE_LIMITED.
	Limit         string `json:"limit,omitempty"`
	Max           int64  `json:"max,omitempty"`
	WindowSeconds int64  `json:"window_seconds,omitempty"`
	RetryAfter    int64  `json:"retry_after,omitempty"`
	// AnsweredAt is when the answer that stands was given: QNA_ALREADY_ANSWERED.
	AnsweredAt *time.Time `json:"answered_at,omitempty"`
	// MaxBytes is the largest body: HTTP 413.
	MaxBytes int64 `json:"max_bytes,omitempty"`
}

// FieldError is one thing that is wrong with a request.
type FieldError struct {
	// Field is where, such as "items[3].tracking_no" or "query.limit"; "body" and "query" stand for the whole.
	Field string `json:"field"`
	// Code is what, such as "required" or "too_long".
	Code string `json:"code"`
	// Message is for people.
	Message string `json:"message"`
	// Allowed are the allowed values, where there is a list of them.
	Allowed []string `json:"allowed,omitempty"`
}

// ItemProblem is an item that stands in the way.
type ItemProblem struct {
	ItemID string `json:"item_id"`
	// ItemStatus is empty when the item was not found.
	ItemStatus ItemStatus `json:"item_status,omitempty"`
	// CarrierName, TrackingNo and LogisticsCompany are the stored shipment: SHIPMENT_STATE_CONFLICT.
	CarrierName      string  `json:"carrier_name,omitempty"`
	TrackingNo       string  `json:"tracking_no,omitempty"`
	LogisticsCompany *string `json:"logistics_company,omitempty"`
}
