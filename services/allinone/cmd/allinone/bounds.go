package main

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

const highestPort = 65535

// longestWindow is the longest rate-limit window that the gateway accepts.
const longestWindow = time.Hour

// bound is a flag, whether its bound is kept, and what it must be.
type bound struct {
	flag string
	kept bool
	must string
}

func broken(bounds []bound) error {
	var problems []error
	for _, b := range bounds {
		if !b.kept {
			problems = append(problems, fmt.Errorf("%s must be %s", b.flag, b.must))
		}
	}
	return errors.Join(problems...)
}

// Validate implements kong's validation.
func (c *upCommand) Validate() error {
	return broken(append([]bound{
		{"--port", c.Port >= 0 && c.Port <= highestPort, "between 0, which is any free one, and 65535"},
		{"--orders", c.Orders >= 0, "0 or more"},
	}, c.Limits.bounds()...))
}

// bounds returns the bounds that the gateway sets for its limits, under the
// names of the flags here.
func (l limitFlags) bounds() []bound {
	return []bound{
		{"--rate-window", l.Window >= time.Second && l.Window <= longestWindow, "from 1s to 1h"},
		{"--rate-read", l.Read >= 1, "1 or more"},
		{"--rate-process", l.Process >= 1, "1 or more"},
		{"--rate-rows", l.Rows >= 1, "1 or more"},
		{"--rate-timeout", l.Timeout > 0, "longer than 0s"},
	}
}

// Validate implements kong's validation.
func (c *fillCommand) Validate() error {
	return broken([]bound{
		{"--orders", c.Orders >= 0, "0 or more"},
		{"--sellers", c.Sellers >= 2, "2 or more, A and B among them"},
		{"--claims", c.Claims >= 0, "0 or more"},
	})
}

// Validate implements kong's validation.
func (c *benchCommand) Validate() error {
	return broken(append([]bound{
		{"--sizes", len(c.Sizes) > 0 && slices.Min(c.Sizes) >= 1, "1 or more each"},
		{"--connections", c.Connections >= 0, "0 or more"},
		{"--cold", c.Cold >= 0, "0 or more"},
		{"--rest", c.Rest >= 0, "0s or longer"},
	}, c.bounds()...))
}

// Validate implements kong's validation.
func (c *benchCompareCommand) Validate() error { return broken(c.bounds()) }

func (f benchFlags) bounds() []bound {
	return []bound{
		{"--sellers", f.Sellers >= leastSellers, "8 or more"},
		{"--orders", f.Orders >= 1, "1 or more"},
		{"--claims", f.Claims >= 1, "1 or more"},
		{"--variants", f.Variants >= 1, "1 or more"},
		{"--concurrency", f.Concurrency >= 1, "1 or more"},
		{"--rounds", f.Rounds >= 1, "1 or more"},
		{"--warm", f.Warm >= 0, "0s or longer"},
		{"--time", f.Time >= time.Second, "1s or longer"},
	}
}

// leastSellers is the least number of sellers with which calls run side by side
// and some sellers have claims.
const leastSellers = 8

// Validate implements kong's validation.
func (c *failoverCommand) Validate() error {
	return broken([]bound{
		{"--rate", c.Rate >= 1, "1 or more"},
		{"--before", c.Before >= time.Second, "1s or longer"},
		{"--notice", c.Notice >= 0, "0s or longer"},
		{"--after", c.After >= time.Second, "1s or longer"},
	})
}
