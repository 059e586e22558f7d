package up

import (
	"math"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/services/allinone/flags"
	"sellerapi.dev/services/gateway"
)

type commands struct {
	Up   Command     `cmd:""`
	Fill FillCommand `cmd:""`
}

func parse(t *testing.T, args ...string) (commands, error) {
	t.Helper()
	var read commands
	parser, err := kong.New(&read, read.Up.Vars())
	require.NoError(t, err)
	_, err = parser.Parse(args)
	return read, err
}

// A number outside its bounds is refused with the flag's name, before anything is started.
func TestFlags_outsideBoundsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ command, flag, value string }{
		{"up", "--port", "-1"},
		{"up", "--port", "65536"},
		{"up", "--port", "99999"},
		{"up", "--orders", "-5"},
		{"up", "--rate-read", "0"},
		{"up", "--rate-process", "0"},
		{"up", "--rate-rows", "0"},
		{"up", "--rate-rows", "-1"},
		{"up", "--rate-window", "0s"},
		{"up", "--rate-window", "-1m"},
		{"up", "--rate-window", "61m"},
		{"up", "--rate-window", "999ms"},
		{"up", "--rate-timeout", "0s"},
		{"up", "--rate-timeout", "-1s"},
		{"fill", "--orders", "-1"},
		{"fill", "--sellers", "1"},
		{"fill", "--claims", "-1"},
	} {
		_, err := parse(t, c.command, c.flag+"="+c.value)
		require.ErrorContains(t, err, c.flag+" must be ", c.value)
	}
	_, err := parse(t, "up", "--orders=-5", "--rate-read=0")
	require.ErrorContains(t, err, "--orders must be 0 or more\n")
	require.ErrorContains(t, err, "--rate-read must be 1 or more")
}

// The defaults and both ends of the bounds are allowed.
func TestFlags_endsOfBoundsAllowed(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"up"},
		{"fill"},
		{
			"up", "--port=0", "--orders=0", "--rate-window=1s", "--rate-read=1", "--rate-process=1", "--rate-rows=1",
			"--rate-timeout=1ns",
		},
		{"up", "--port=65535", "--rate-window=1h"},
		{"fill", "--orders=0", "--sellers=2", "--claims=0"},
	} {
		_, err := parse(t, args...)
		require.NoError(t, err, args)
	}
}

// The bounds of the flags match those of the gateway. Without them the gateway would fail at
// start, naming its own settings instead.
func TestLimits_boundsMatchGateway(t *testing.T) {
	t.Parallel()
	published := defaults.Of[gateway.Config]().Limits
	read, err := parse(t, "up")
	require.NoError(t, err)
	ours := read.Up.Limits
	require.Equal(t, limitFlags{
		Window: published.Window, Read: published.Read, Process: published.Process, Rows: published.Rows, Timeout: published.Timeout,
	}, ours)

	for _, d := range []time.Duration{
		math.MinInt64, -1, 0, 1, time.Second - 1, time.Second, time.Hour,
		time.Hour + 1, math.MaxInt64,
	} {
		theirs, here := published, ours
		theirs.Window, here.Window = d, d
		require.Equal(t, theirs.Validate() == nil, flags.Broken(here.bounds()) == nil, "window %s", d)
		theirs, here = published, ours
		theirs.Timeout, here.Timeout = d, d
		require.Equal(t, theirs.Validate() == nil, flags.Broken(here.bounds()) == nil, "timeout %s", d)
	}
	for _, n := range []int{math.MinInt, -1, 0, 1, math.MaxInt} {
		for field := range 3 {
			theirs, here := published, ours
			*[]*int{&theirs.Read, &theirs.Process, &theirs.Rows}[field] = n
			*[]*int{&here.Read, &here.Process, &here.Rows}[field] = n
			require.Equal(t, theirs.Validate() == nil, flags.Broken(here.bounds()) == nil, "number %d: %d", field, n)
		}
	}
}
