package main

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// highestPort is the last one that TCP has.
const highestPort = 65535

// longestWindow is that of the gateway.
const longestWindow = time.Hour

// bound is a flag and what it must be.
type bound struct {
	flag string
	kept bool
	must string
}

// broken names the flags whose bounds are not kept.
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

// bounds are those of the gateway, under the names of the flags here.
func (l limitFlags) bounds() []bound {
	return []bound{
		{"--rate-window", l.Window >= time.Second && l.Window <= longestWindow, "from 1s to 1h"},
		{"--rate-read", l.Read >= 1, "1 or more"},
		{"--rate-process", l.Process >= 1, "1 or more"},
		{"--rate-rows", l.Rows >= 1, "1 or more"},
		{"--rate-patience", l.Patience > 0, "longer than 0s"},
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
	return broken([]bound{
		{"--sizes", len(c.Sizes) > 0 && slices.Min(c.Sizes) >= 1, "1 or more each"},
		{"--concurrency", c.Concurrency >= 1, "1 or more"},
		{"--rounds", c.Rounds >= 1, "1 or more"},
		{"--time", c.Time >= time.Second, "1s or longer"},
	})
}

// Validate implements kong's validation.
func (c *failoverCommand) Validate() error {
	return broken([]bound{
		{"--rate", c.Rate >= 1, "1 or more"},
		{"--before", c.Before >= time.Second, "1s or longer"},
		{"--notice", c.Notice >= 0, "0s or longer"},
		{"--after", c.After >= time.Second, "1s or longer"},
	})
}
