package up

import (
	"context"
	"io"
	"os"
	"strconv"
	"time"

	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/services/allinone/flags"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/gateway"
)

// inRunDir holds the options of commands that work on a running system.
type inRunDir struct {
	RunDir string `default:".run" help:"Directory with the data and the addresses of the running system."`
}

// Command is `allinone up`.
type Command struct {
	inRunDir
	DatabaseURL secret.Text `env:"DATABASE_URL" help:"PostgreSQL to use instead of a private one."`
	RedisURL    secret.Text `env:"REDIS_URL" help:"Redis to use instead of a private one."`
	Layout      string      `env:"LAYOUT" enum:"single,distributed" default:"single" help:"single: one PostgreSQL. distributed: a coordinator and two workers, with the extension Citus."`
	Port        int         `default:"8080" help:"Preferred port of the gateway; any free one when it is in use."`
	ConsolePort int         `default:"8090" help:"Preferred port of the partner console; any free one when it is in use."`
	Orders      int         `default:"400" help:"Number of orders in a new marketplace."`
	Lively      bool        `default:"true" negatable:"" help:"Let new orders arrive every few seconds."`
	Limits      limitFlags  `embed:"" prefix:"rate-"`
}

type limitFlags struct {
	Window  time.Duration `default:"${rate_window}" help:"Length of the window of limits."`
	Read    int           `default:"${rate_read}" help:"Read calls of a key in the window."`
	Process int           `default:"${rate_process}" help:"Process calls of a key in the window."`
	Rows    int           `default:"${rate_rows}" help:"Rows that a key may read in the window."`

	Timeout time.Duration `default:"${rate_timeout}" help:"How long a call waits for Redis."`
}

// Vars implements [defaults.Variables].
func (*Command) Vars() defaults.Vars {
	published := defaults.Of[gateway.Config]().Limits
	return defaults.Vars{
		"rate_window": published.Window.String(), "rate_read": strconv.Itoa(published.Read),
		"rate_process": strconv.Itoa(published.Process),
		"rate_rows":    strconv.Itoa(published.Rows), "rate_timeout": published.Timeout.String(),
	}
}

// Run runs the system.
func (c *Command) Run(ctx context.Context, out io.Writer) error {
	return Run(ctx, Options{
		RunDir: c.RunDir, DatabaseURL: c.DatabaseURL.Reveal(), RedisURL: c.RedisURL.Reveal(), Layout: Layout(c.Layout), Port: c.Port,
		ConsolePort: c.ConsolePort, Orders: c.Orders, Lively: c.Lively, Limits: stack.Limits(c.Limits), Out: out, Progress: os.Stderr,
	})
}

// FillCommand is `allinone fill`.
type FillCommand struct {
	inRunDir
	Orders  int        `default:"100000" help:"Number of orders."`
	Sellers int        `default:"20" help:"Number of sellers, including A and B."`
	Claims  int        `default:"0" help:"Number of claims, each on a separate order; the base must be about now."`
	Seed    uint64     `default:"1" help:"Seed of the random data; the same seed and base time produce the same orders."`
	Base    *time.Time `help:"Time of the newest order, as 2026-01-31T00:00:00Z; now by default."`

	TLS certificate.Client `embed:""`
}

// Run fills the system.
func (c *FillCommand) Run(ctx context.Context, out io.Writer) error {
	base := time.Now().Add(-time.Second).Truncate(time.Second)
	if c.Base != nil {
		base = *c.Base
	}
	return Fill(ctx, FillOptions{
		RunDir: c.RunDir, Orders: c.Orders, Sellers: c.Sellers, Claims: c.Claims, Seed: c.Seed, Base: base, TLS: c.TLS,
		Out: out, Progress: os.Stderr,
	})
}

// CleanCommand is `allinone clean`.
type CleanCommand struct{ inRunDir }

// Run deletes the data of the run directory.
func (c *CleanCommand) Run() error { return Forget(c.RunDir) }

const highestPort = 65535

// longestWindow is the longest rate-limit window that the gateway accepts.
const longestWindow = time.Hour

// Validate implements kong's validation.
func (c *Command) Validate() error {
	return flags.Broken(append([]flags.Bound{
		{Flag: "--port", Kept: c.Port >= 0 && c.Port <= highestPort, Must: "between 0, which is any free one, and 65535"},
		{
			Flag: "--console-port", Kept: c.ConsolePort >= 0 && c.ConsolePort <= highestPort,
			Must: "between 0, which is any free one, and 65535",
		},
		{Flag: "--orders", Kept: c.Orders >= 0, Must: "0 or more"},
	}, c.Limits.bounds()...))
}

// bounds returns the bounds that the gateway sets for its limits, under the
// names of the flags here.
func (l limitFlags) bounds() []flags.Bound {
	return []flags.Bound{
		{Flag: "--rate-window", Kept: l.Window >= time.Second && l.Window <= longestWindow, Must: "from 1s to 1h"},
		{Flag: "--rate-read", Kept: l.Read >= 1, Must: "1 or more"},
		{Flag: "--rate-process", Kept: l.Process >= 1, Must: "1 or more"},
		{Flag: "--rate-rows", Kept: l.Rows >= 1, Must: "1 or more"},
		{Flag: "--rate-timeout", Kept: l.Timeout > 0, Must: "longer than 0s"},
	}
}

// Validate implements kong's validation.
func (c *FillCommand) Validate() error {
	return flags.Broken([]flags.Bound{
		{Flag: "--orders", Kept: c.Orders >= 0, Must: "0 or more"},
		{Flag: "--sellers", Kept: c.Sellers >= 2, Must: "2 or more, A and B among them"},
		{Flag: "--claims", Kept: c.Claims >= 0, Must: "0 or more"},
	})
}
