package ratelimit

import (
	"time"

	"sellerapi.dev/pkg/operation"
)

// Config holds the limits of an API key. Zero values mean the defaults in the tags, which are those of the specification
// (section Limits).
type Config struct {
	Window  time.Duration `name:"rate-window" env:"RATE_WINDOW" default:"60s" help:"Length of the sliding window."`
	Read    int           `name:"rate-read" env:"RATE_READ" default:"60" help:"Read calls per window."`
	Process int           `name:"rate-process" env:"RATE_PROCESS" default:"30" help:"Process calls per window."`
	Rows    int           `name:"rate-rows" env:"RATE_ROWS" default:"3000" help:"Rows that reads return per window."`
	Timeout time.Duration `name:"rate-timeout" env:"RATE_TIMEOUT" default:"140ms" help:"How long a call waits for Redis before it is refused."`
}

// maxWindow is the maximum window: window.lua stores the time between two calls in four bytes.
const maxWindow = time.Hour

// Validate returns an error for invalid settings; kong calls it.
func (c Config) Validate() error {
	switch {
	case c.Window < time.Second || c.Window > maxWindow:
		return errWindow
	case c.Timeout <= 0:
		return errTimeout
	case c.Read < 1 || c.Process < 1 || c.Rows < 1:
		return errNoCalls
	default:
		return nil
	}
}

// Calls returns the maximum number of calls of the class in a window.
func (c Config) Calls(class operation.Class) int {
	if class == operation.Process {
		return c.Process
	}
	return c.Read
}

// RowBudget returns the maximum number of rows for calls of the class in a window; 0 if rows are not counted.
func (c Config) RowBudget(class operation.Class) int {
	if class == operation.Process {
		return 0
	}
	return c.Rows
}
