package defaults_test

import (
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/defaults"
)

type part struct {
	Limit int           `name:"limit" env:"DEFAULTS_TEST_LIMIT" default:"60"`
	Wait  time.Duration `name:"wait" default:"${wait}"`
	URL   string        `name:"url" required:""`
}

// Vars implements defaults.Variables.
func (*part) Vars() kong.Vars { return kong.Vars{"wait": "3s"} }

// A configuration made in code must equal the one of an empty command line.
func TestFill(t *testing.T) {
	t.Setenv("DEFAULTS_TEST_LIMIT", "7") // read by service.Main only
	require.Equal(t, part{Limit: 60, Wait: 3 * time.Second}, defaults.Of[part]())
	given := part{Limit: 5, URL: "x"}
	defaults.Fill(&given)
	require.Equal(t, part{Limit: 5, Wait: 3 * time.Second, URL: "x"}, given)
}

// A tag that cannot be parsed is a programming error; it must not be treated as a zero
// value.
func TestFill_bad_tag(t *testing.T) {
	t.Parallel()
	require.Panics(t, func() {
		defaults.Of[struct {
			Wait time.Duration `default:"soon"`
		}]()
	})
}
