package ratelimit

import (
	"time"

	"sellerapi.dev/pkg/operation"
)

// Config are the limits of one API key. Zero values stand for the defaults in the tags, which are the specification's
// (section Limits).
type Config struct {
	Window  time.Duration `name:"rate-window" env:"RATE_WINDOW" default:"60s" help:"Length of the sliding window."`
	Read    int           `name:"rate-read" env:"RATE_READ" default:"60" help:"Read calls per window."`
	Process int           `name:"rate-process" env:"RATE_PROCESS" default:"30" help:"Process calls per window."`
	Rows    int           `name:"rate-rows" env:"RATE_ROWS" default:"3000" help:"Rows that reads return per window."`
	Timeout time.Duration `name:"rate-timeout" env:"RATE_TIMEOUT" default:"140ms" help:"How long a call waits for Redis before it is refused."`
}

// longestWindow keeps the time between two calls of a window within the four bytes that window.lua gives it.
const longestWindow = time.Hour

// Validate returns an error for invalid settings; kong calls it.
func (c Config) Validate() error {
	switch {
	case c.Window < time.Second || c.Window > longestWindow:
		return errWindow
	case c.Timeout <= 0:
		return errTimeout
	case c.Read < 1 || c.Process < 1 || c.Rows < 1:
		return errNoCalls
	default:
		return nil
	}
}

// Calls is how many calls of the class the window holds.
func (c Config) Calls(class operation.Class) int {
	if class == operation.Process {
		return c.Process
	}
	return c.Read
}

// RowBudget is how many rows calls of the class may return in the window; 0 where rows are not counted.
func (c Config) RowBudget(class operation.Class) int {
	if class == operation.Process {
		return 0
	}
	return c.Rows
}
