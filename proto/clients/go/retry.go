package sellerapi

import (
	"context"
	"crypto/tls"
	"errors"
	"net/http"
	"time"
)

// RetryPolicy limits the retries of calls.
type RetryPolicy struct {
	// Attempts is the maximum number of times a request is sent; 8 by default, 1 means no retries.
	Attempts int
	// FirstPause is the pause after the first failure without Retry-After, 500 ms by default. Each further pause is twice
	// as long, up to LongestPause, 30 s by default; jitter reduces it by up to a half.
	FirstPause, LongestPause time.Duration
	// LongestRetryAfter is the longest Retry-After that the client waits for, 2 minutes by default: the limits of the API
	// count the last 60 seconds. A longer one is returned to the caller as an error.
	LongestRetryAfter time.Duration
}

// retryAfterJitter is the maximum that is added to Retry-After, so that clients that were refused together do not retry
// together.
const retryAfterJitter = 500 * time.Millisecond

func (p RetryPolicy) withDefaults() RetryPolicy {
	setDefault(&p.Attempts, 8)
	setDefault(&p.FirstPause, 500*time.Millisecond)
	setDefault(&p.LongestPause, 30*time.Second)
	setDefault(&p.LongestRetryAfter, 2*time.Minute)
	return p
}

func setDefault[T int | time.Duration](value *T, standard T) {
	if *value <= 0 {
		*value = standard
	}
}

// pause reports whether to retry after a failed attempt, counted from 1, and how long to wait before.
func (p RetryPolicy) pause(err error, attempt int, random func() float64) (time.Duration, bool) {
	if attempt >= p.Attempts || !passing(err) {
		return 0, false
	}
	var refused *Error
	if errors.As(err, &refused) && refused.RetryAfter > 0 {
		return refused.RetryAfter + time.Duration(random()*float64(retryAfterJitter)), refused.RetryAfter <= p.LongestRetryAfter
	}
	longest := p.FirstPause << min(attempt-1, 30)
	if longest > p.LongestPause || longest <= 0 {
		longest = p.LongestPause
	}
	return longest - time.Duration(random()*float64(longest)/2), true
}

// passing reports whether a failure is retried automatically: nothing was processed, or the outcome is unknown.
func passing(err error) bool {
	var refused *Error
	if errors.As(err, &refused) {
		return refused.Code == CodeIdempotencyInProgress || passingStatus(refused.Status)
	}
	var unanswered *UnansweredError
	return errors.As(err, &unanswered) && repeatable(unanswered.Err)
}

// passingStatus reports whether a status, whatever its code, means that the same request may succeed later.
func passingStatus(status int) bool {
	return status == http.StatusRequestTimeout || status == http.StatusTooManyRequests || status >= http.StatusInternalServerError
}

// repeatable reports whether a retry may lead to a response.
func repeatable(err error) bool {
	var certificate *tls.CertificateVerificationError
	var form *formError
	return !errors.As(err, &certificate) && !errors.As(err, &form) && !errors.Is(err, context.Canceled)
}
