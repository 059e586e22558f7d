package main

import (
	"slices"
	"time"

	"sellerapi.dev/services/allinone/flags"
)

// Validate implements kong's validation.
func (c *benchCommand) Validate() error {
	return flags.Broken(append([]flags.Bound{
		{Flag: "--sizes", Kept: len(c.Sizes) > 0 && slices.Min(c.Sizes) >= 1, Must: "1 or more each"},
		{Flag: "--connections", Kept: c.Connections >= 0, Must: "0 or more"},
		{Flag: "--rest", Kept: c.Rest >= 0, Must: "0s or longer"},
	}, c.bounds()...))
}

// Validate implements kong's validation.
func (c *benchCompareCommand) Validate() error { return flags.Broken(c.bounds()) }

// bounds returns the bounds of the flags that both commands share.
func (f benchFlags) bounds() []flags.Bound {
	return []flags.Bound{
		{Flag: "--sellers", Kept: f.Sellers >= leastSellers, Must: "8 or more"},
		{Flag: "--orders", Kept: f.Orders >= 1, Must: "1 or more"},
		{Flag: "--claims", Kept: f.Claims >= 1, Must: "1 or more"},
		{Flag: "--variants", Kept: f.Variants >= 1, Must: "1 or more"},
		{Flag: "--concurrency", Kept: f.Concurrency >= 1, Must: "1 or more"},
		{Flag: "--rounds", Kept: f.Rounds >= 1, Must: "1 or more"},
		{Flag: "--warm", Kept: f.Warm >= 0, Must: "0s or longer"},
		{Flag: "--time", Kept: f.Time >= time.Second, Must: "1s or longer"},
	}
}

// leastSellers is the least number of sellers with which calls run side by side
// and some sellers have claims.
const leastSellers = 8

// Validate implements kong's validation.
func (c *failoverCommand) Validate() error {
	return flags.Broken([]flags.Bound{
		{Flag: "--rate", Kept: c.Rate >= 1, Must: "1 or more"},
		{Flag: "--before", Kept: c.Before >= time.Second, Must: "1s or longer"},
		{Flag: "--notice", Kept: c.Notice >= 0, Must: "0s or longer"},
		{Flag: "--after", Kept: c.After >= time.Second, Must: "1s or longer"},
	})
}
