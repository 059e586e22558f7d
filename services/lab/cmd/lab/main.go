// Command lab measures and attacks the system: lab bench, lab bench-compare, lab siege, lab failover. The make targets of the
// same names call it.
package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/allinone/up"
	"sellerapi.dev/services/lab/bench"
	"sellerapi.dev/services/lab/failover"
	"sellerapi.dev/services/lab/siege"
)

func main() {
	service.Main("lab", &struct {
		Bench        benchCommand        `cmd:"" help:"Measure the public path against PostgreSQL alone, on separate data."`
		BenchCompare benchCompareCommand `cmd:"" help:"Compare this system with that of another commit, under the same load."`
		Siege        siegeCommand        `cmd:"" help:"Attack a separate system, and compare the cost with limits."`
		Failover     failoverCommand     `cmd:"" help:"Kill servers of a separate system, and compare the clients' outage with limits."`
		Child        childCommand        `cmd:"" hidden:"" help:"Run what is measured beside the services."`
		Up           up.Command          `cmd:"" hidden:"" help:"Run the system that is measured or attacked."`
	}{})
}

// benchFlags are the flags that the measuring commands share.
type benchFlags struct {
	Dir         string        `default:".run/bench" help:"Directory for the data during the run."`
	Tree        string        `default:"." help:"Source tree whose services are measured."`
	Quick       bool          `help:"Small tables and short rounds: four minutes instead of 45, with less reliable figures."`
	Cases       []string      `help:"Reads to measure, by name; all by default." sep:";"`
	Sellers     int           `default:"1000" help:"Sellers of the marketplace in which calls are measured."`
	Orders      int           `default:"200000" help:"Orders of that marketplace."`
	Variants    int           `default:"256" help:"Number of different requests per case."`
	Claims      int           `default:"106" help:"Number of claims, and of inquiries, of each of four sellers."`
	Concurrency int           `default:"8" help:"Number of concurrent requests, on all sides."`
	Rounds      int           `default:"3" help:"Number of alternating measurements of each side; the medians are compared."`
	Warm        time.Duration `default:"2s" help:"Warm-up of a side before each measurement, in whole seconds."`
	Time        time.Duration `default:"5s" help:"Duration of each measurement of a side, in whole seconds."`
}

type benchCommand struct {
	benchFlags
	Parts       []string      `default:"gateway,footprint,reads,writes,batches,growth" enum:"gateway,footprint,reads,writes,batches,growth" help:"What to measure."`
	Sizes       []int         `default:"1000,100000,1000000" help:"Numbers of orders of one seller, plus as many of others, at which growth is measured."`
	Connections int           `default:"1000" help:"Number of idle connections in the measurement of memory."`
	Held        int           `default:"9999" help:"Number of held calls in the measurement of calls that wait."`
	Rest        time.Duration `default:"12s" help:"How long services are idle before their memory is measured."`
	Tools       string        `default:".tools" help:"Folder with nginx where the system has none."`
	Report      string        `default:".run/bench.json" help:"Output file for all figures."`
	Keep        string        `help:"Folder with the page on which the goals are kept."`
}

const (
	// pageRows is how many records a page has unless a client asks for another number.
	pageRows = 50
	// batchEntries is how many shipments a batch may have.
	batchEntries = 500
	// growthCalls is how often a page is read at each size.
	growthCalls = 9
)

// quickCases are the cases that have bars, and one of each other kind.
var quickCases = []string{
	"orders, first page", "orders, item_status=paid", "orders, paid_at range", "orders, status_changed",
	"orders, paid_at, ten minutes",
	"orders, status_changed, ten minutes", "orders, forwards", "order detail", "claims page", "inquiries page",
}

func (f benchFlags) options(out io.Writer) bench.Options {
	if f.Quick {
		if len(f.Cases) == 0 {
			f.Cases = quickCases
		}
		f.Orders, f.Variants, f.Claims, f.Rounds, f.Warm, f.Time = 20_000, 64, 53, 2, time.Second, time.Second
	}
	return bench.Options{
		Dir: f.Dir, Tree: f.Tree, Cases: f.Cases, Sellers: f.Sellers, Orders: f.Orders, Page: pageRows, Batch: batchEntries,
		Variants: f.Variants, Claims: f.Claims,
		Concurrency: f.Concurrency, Rounds: f.Rounds, Warm: f.Warm, Time: f.Time, Out: out, Progress: os.Stderr,
	}
}

// Run runs the benchmark.
func (c *benchCommand) Run(ctx context.Context, out io.Writer) error {
	if c.Quick {
		c.Sizes, c.Rest, c.Held = []int{1000, 20_000}, 2*time.Second, 999
	}
	options := c.options(out)
	options.Parts, options.Sizes, options.GrowthCalls = c.Parts, c.Sizes, growthCalls
	options.Connections, options.Held, options.Rest, options.Report = c.Connections, c.Held, c.Rest, c.Report
	options.Keep = c.Keep
	options.Roots = []string{filepath.Join(c.Tools, "nginx"), "/"}
	return bench.Run(ctx, options)
}

type benchCompareCommand struct {
	benchFlags
	Base   string `required:"" help:"Commit to compare this tree with."`
	Report string `default:".run/bench-compare.json" help:"Output file for all figures."`
}

// Run measures this tree and the base commit.
func (c *benchCompareCommand) Run(ctx context.Context, out io.Writer) error {
	options := c.options(out)
	options.Report = c.Report
	return bench.Compare(ctx, options, c.Base)
}

// childCommand lets the benchmark run what it compares the services with as separate processes.
type childCommand struct {
	Arguments []string `arg:""`
}

// Run runs the process until its input is closed.
func (c *childCommand) Run(ctx context.Context, out io.Writer) error {
	return bench.Child(ctx, out, c.Arguments)
}

type siegeCommand struct {
	Dir         string        `default:".run/siege" help:"Directory for the data of the attacked system during the run."`
	Orders      int           `default:"2000" help:"Orders of the marketplace."`
	Rounds      int           `default:"3" help:"Number of alternating measurements of control and attack; the medians are compared."`
	Calls       int           `default:"400" help:"Number of refused calls of a side in a round."`
	Connections int           `default:"1000" help:"Number of connections that an attacker keeps open concurrently."`
	Neighbors   int           `default:"50" help:"Number of keys of other sellers that call while one key attacks."`
	Time        time.Duration `default:"36s" help:"How long they call, with and without the attack."`
}

// Run runs the siege.
func (c *siegeCommand) Run(ctx context.Context, out io.Writer) error {
	return siege.Run(ctx, siege.Options{
		Dir: c.Dir, Orders: c.Orders, Rounds: c.Rounds, Calls: c.Calls, Connections: c.Connections,
		Neighbors: c.Neighbors, Time: c.Time,
		Out: out, Progress: os.Stderr,
	})
}

type failoverCommand struct {
	Dir    string        `default:".run/failover" help:"Directory for the data of the servers during the run."`
	Trials []string      `default:"postgres,redis,citus,mixed" enum:"postgres,redis,citus,mixed" help:"Which servers to kill."`
	Rate   int           `default:"50" help:"Process calls, and reads, per second."`
	Before time.Duration `default:"3s" help:"Duration of calls before the kill."`
	Notice time.Duration `default:"3s" help:"Time until the standby is promoted, or the worker restarted."`
	After  time.Duration `default:"8s" help:"Duration of calls after the servers are restored."`
}

// Run runs the failover trials.
func (c *failoverCommand) Run(ctx context.Context, out io.Writer) error {
	return failover.Run(ctx, failover.Options{
		Dir: c.Dir, Trials: c.Trials, Rate: c.Rate, Before: c.Before, Notice: c.Notice, After: c.After, Out: out, Progress: os.Stderr,
	})
}
