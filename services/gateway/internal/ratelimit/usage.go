package ratelimit

import (
	_ "embed" // the scripts
	"errors"
	"net/http"
	"strconv"
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
)

// ClockScript is the clock that the other scripts use.
//
//go:embed clock.lua
var ClockScript string

// WindowScript holds the functions of a window. Scripts that use them are prefixed with it.
//
//go:embed window.lua
var WindowScript string

// SettleScript settles the rows of reads. It must be prefixed with each_call of package admission, ClockScript and WindowScript.
//
//go:embed settle.lua
var SettleScript string

// UsageScript reads a window. It must be prefixed with each_call of package admission, ClockScript and WindowScript.
//
//go:embed usage.lua
var UsageScript string

var (
	errWindow  = errors.New("the rate window must be between a second and an hour")
	errTimeout = errors.New("the timeout of the limits must be positive")
	errNoCalls = errors.New("rate limits must allow at least one call and one row")
)

// The response headers for the remaining quota. The first two are the specification's.
const (
	HeaderLimit         = "X-RateLimit-Limit"
	HeaderRemaining     = "X-RateLimit-Remaining"
	HeaderReset         = "X-RateLimit-Reset"
	HeaderRowsLimit     = "X-RateLimit-Rows-Limit"
	HeaderRowsRemaining = "X-RateLimit-Rows-Remaining"
)

// MaxRows is the maximum number of rows that a read can return or reserve: window.lua stores it in a byte.
const MaxRows = 255

// Usage is the state of a window after a call.
type Usage struct {
	Class  operation.Class
	Window time.Duration
	// Limit is the maximum number of calls in the window, Calls the current number, including this one if it was admitted.
	Limit, Calls int
	// RowsLimit is 0 if rows are not counted. Rows includes the reservation of this read.
	RowsLimit, Rows int
	// CallsWait and RowsWait are the exact waits of a refused call; 0 for a limit that is not reached.
	CallsWait, RowsWait time.Duration
	// Reset is when the oldest call leaves the window; 0 for an empty window.
	Reset time.Duration
}

// Remaining returns the number of remaining calls.
func (u Usage) Remaining() int { return max(u.Limit-u.Calls, 0) }

// WriteHeaders sets the headers for the remaining quota.
func (u Usage) WriteHeaders(header http.Header) {
	values := make([]string, 0, 5) // allocated once for all, because every answer carries them
	set := func(name string, value int) {
		values = append(values, strconv.Itoa(value))
		header[name] = values[len(values)-1 : len(values) : len(values)]
	}
	set(wireLimit, u.Limit)
	set(wireRemaining, u.Remaining())
	set(wireReset, seconds(u.Reset))
	if u.RowsLimit > 0 {
		set(wireRowsLimit, u.RowsLimit)
		set(wireRowsRemaining, u.rowsRemaining())
	}
}

// RemoveHeaders removes the headers for the remaining quota: the key of a call that is refused after it was charged has none
// any more.
func RemoveHeaders(header http.Header) {
	for _, name := range []string{wireLimit, wireRemaining, wireReset, wireRowsLimit, wireRowsRemaining} {
		delete(header, name)
	}
}

func (u Usage) rowsRemaining() int { return max(u.RowsLimit-u.Rows, 0) }

// WriteRowsRemaining sets the header for the remaining rows, if rows are counted.
func (u Usage) WriteRowsRemaining(header http.Header) {
	if u.RowsLimit > 0 {
		header[wireRowsRemaining] = []string{strconv.Itoa(u.rowsRemaining())}
	}
}

// The headers in canonical form; canonicalizing them for every answer would cost more than writing them.
var (
	wireLimit         = http.CanonicalHeaderKey(HeaderLimit)
	wireRemaining     = http.CanonicalHeaderKey(HeaderRemaining)
	wireReset         = http.CanonicalHeaderKey(HeaderReset)
	wireRowsLimit     = http.CanonicalHeaderKey(HeaderRowsLimit)
	wireRowsRemaining = http.CanonicalHeaderKey(HeaderRowsRemaining)
)

// Exceeded returns the limit that a refused call waits for, "read", "process" or "rows": the one with the longer wait.
func (u Usage) Exceeded() string {
	if u.RowsWait > u.CallsWait {
		return "rows"
	}
	return string(u.Class)
}

// Refusal returns the RATE_LIMITED error of a refused call.
func (u Usage) Refusal() error {
	limit, allowed := u.Exceeded(), u.Limit
	if limit == "rows" {
		allowed = u.RowsLimit
	}
	wait := max(u.CallsWait, u.RowsWait)
	return apierr.RateLimited.With(map[string]any{
		"limit": limit, "max": allowed, "window_seconds": seconds(u.Window), "retry_after": seconds(wait),
	}).After(wait)
}

// seconds rounds up, so that a client that waits this long is never too early.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
