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

// ClockScript is the clock that the other scripts read.
//
//go:embed clock.lua
var ClockScript string

// WindowScript are the functions of a window, to be put in front of a script that uses them.
//
//go:embed window.lua
var WindowScript string

// SettleScript settles the rows of reads; it needs each_call of package admission, ClockScript and WindowScript in front of
// it.
//
//go:embed settle.lua
var SettleScript string

var (
	errWindow  = errors.New("the rate window must be between a second and an hour")
	errTimeout = errors.New("the time to wait for the limits must be positive")
	errNoCalls = errors.New("rate limits must allow at least one call and one row")
)

// The response headers that tell a client how much is left. The first two are the specification's.
const (
	HeaderLimit         = "X-RateLimit-Limit"
	HeaderRemaining     = "X-RateLimit-Remaining"
	HeaderReset         = "X-RateLimit-Reset"
	HeaderRowsLimit     = "X-RateLimit-Rows-Limit"
	HeaderRowsRemaining = "X-RateLimit-Rows-Remaining"
)

// MaxRows is the most rows that one read can return or reserve: window.lua gives them a byte.
const MaxRows = 255

// Usage is the state of a window after a call.
type Usage struct {
	Class  operation.Class
	Window time.Duration
	// Limit and Calls are the calls that the window may hold and that it holds, this one included if it was admitted.
	Limit, Calls int
	// RowsLimit is 0 where rows are not counted. Rows includes what this read reserved.
	RowsLimit, Rows int
	// CallsWait and RowsWait are the true waits of a refused call; 0 where that limit has room.
	CallsWait, RowsWait time.Duration
	// Reset is when the oldest call leaves the window; 0 for an empty window.
	Reset time.Duration
}

// Remaining is how many calls are left.
func (u Usage) Remaining() int { return max(u.Limit-u.Calls, 0) }

// WriteHeaders tells the client what is left.
func (u Usage) WriteHeaders(header http.Header) {
	values := make([]string, 0, 5) // for all of them, because every answer carries them
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

func (u Usage) rowsRemaining() int { return max(u.RowsLimit-u.Rows, 0) }

// WriteRowsRemaining tells the client how many rows are left, where rows are counted.
func (u Usage) WriteRowsRemaining(header http.Header) {
	if u.RowsLimit > 0 {
		header[wireRowsRemaining] = []string{strconv.Itoa(u.rowsRemaining())}
	}
}

// The headers as net/http spells their names; spelling them anew for every answer would cost more than writing them.
var (
	wireLimit         = http.CanonicalHeaderKey(HeaderLimit)
	wireRemaining     = http.CanonicalHeaderKey(HeaderRemaining)
	wireReset         = http.CanonicalHeaderKey(HeaderReset)
	wireRowsLimit     = http.CanonicalHeaderKey(HeaderRowsLimit)
	wireRowsRemaining = http.CanonicalHeaderKey(HeaderRowsRemaining)
)

// Exceeded names the limit that a refused call waits for, "read", "process" or "rows": the one with the longer wait.
func (u Usage) Exceeded() string {
	if u.RowsWait > u.CallsWait {
		return "rows"
	}
	return string(u.Class)
}

// Refusal is the RATE_LIMITED of a refused call.
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
