package main

import (
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
)

func parse(args ...string) error {
	parser, err := kong.New(&struct {
		Bench    benchCommand    `cmd:""`
		Failover failoverCommand `cmd:""`
	}{})
	if err == nil {
		_, err = parser.Parse(args)
	}
	return err
}

// A number outside its bounds is refused with the flag's name, before anything is started.
func TestFlags_outsideBoundsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ command, flag, value string }{
		{"bench", "--sizes", "1000,0"},
		{"bench", "--concurrency", "0"},
		{"bench", "--rounds", "-1"},
		{"bench", "--time", "-1s"},
		{"bench", "--claims", "0"},
		{"bench", "--cold", "-1"},
		{"failover", "--rate", "0"},
		{"failover", "--before", "0s"},
		{"failover", "--notice", "-1s"},
		{"failover", "--after", "999ms"},
	} {
		require.ErrorContains(t, parse(c.command, c.flag+"="+c.value), c.flag+" must be ", c.value)
	}
}

// The defaults and both ends of the bounds are allowed.
func TestFlags_endsOfBoundsAllowed(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"bench"},
		{"failover"},
		{"bench", "--sizes=1", "--concurrency=1", "--rounds=1", "--time=1s"},
		{"failover", "--rate=1", "--before=1s", "--notice=0s", "--after=1s"},
	} {
		require.NoError(t, parse(args...), args)
	}
}
