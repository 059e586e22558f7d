package sellerapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

type answer struct {
	info ResponseInfo
	data json.RawMessage
}

type envelope struct {
	Meta struct {
		Message   string          `json:"message"`
		ErrorCode *Code           `json:"error_code"`
		ErrorData json.RawMessage `json:"error_data"`
	} `json:"meta"`
	Data json.RawMessage `json:"data"`
}

func infoOf(response *http.Response, key string, attempt int) ResponseInfo {
	number := func(name string) int {
		value, err := strconv.Atoi(response.Header.Get(name))
		if err != nil {
			return -1
		}
		return value
	}
	date, _ := http.ParseTime(response.Header.Get("Date")) // zero if there is none
	return ResponseInfo{
		Status: response.StatusCode, RequestID: response.Header.Get("X-Request-Id"),
		IdempotencyKey: key, Replayed: response.Header.Get("Idempotent-Replayed") == "true", Attempts: attempt,
		Limit: number("X-RateLimit-Limit"), Remaining: number("X-RateLimit-Remaining"),
		RowsLimit: number("X-RateLimit-Rows-Limit"), RowsRemaining: number("X-RateLimit-Rows-Remaining"),
		NotHeld: response.Header.Get("X-Wait") == "0", Date: date,
	}
}

func (a *answer) read(text []byte) error {
	var whole envelope
	if err := json.Unmarshal(text, &whole); err != nil {
		return fmt.Errorf("the answer is cut off or not JSON: %w", err)
	}
	if len(whole.Data) == 0 || bytes.Equal(whole.Data, []byte("null")) {
		return errors.New("the answer has no data")
	}
	a.data = whole.Data
	return nil
}

// A response from a proxy between client and server need not be an envelope; then only the status is known.
func (a *answer) refusal(made *call, text []byte, now time.Time, header http.Header) error {
	refused := &Error{
		Operation: made.name, Status: a.info.Status, Message: http.StatusText(a.info.Status), RequestID: a.info.RequestID,
		RetryAfter: retryAfter(header.Get("Retry-After"), now), IdempotencyKey: made.key, Attempts: a.info.Attempts,
	}
	var whole envelope
	if json.Unmarshal(text, &whole) != nil {
		return refused
	}
	if whole.Meta.Message != "" {
		refused.Message = whole.Meta.Message
	}
	if whole.Meta.ErrorCode != nil {
		refused.Code = *whole.Meta.ErrorCode
	}
	refused.RawData = whole.Meta.ErrorData
	_ = json.Unmarshal(whole.Meta.ErrorData, &refused.Data) // a member of another type leaves the rest readable
	if refused.Data.RequestID != "" {
		refused.RequestID = refused.Data.RequestID
	}
	return refused
}

func (a *answer) decode(into any, made *call) error {
	if err := json.Unmarshal(a.data, into); err != nil {
		return &UnansweredError{
			Operation: made.name, IdempotencyKey: made.key, Attempts: a.info.Attempts,
			Err: &formError{fmt.Errorf("the answer has another form than described: %w", err)},
		}
	}
	return nil
}

// formError is a malformed response, which a retry would not change.
type formError struct{ error }

// Unwrap returns the cause.
func (e *formError) Unwrap() error { return e.error }

// retryAfter parses the header, which is in seconds, or a time if a proxy wrote it.
func retryAfter(text string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds > 0 && seconds < 1e6 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}
