// Command gateway-bench measures what the gateway's own work costs, as ratios taken side by side in one run.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"sellerapi.dev/services/gateway/internal/bench"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "gateway-bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if handled, err := bench.Child(ctx, args); handled {
		return err
	}
	options := bench.Options{Out: os.Stdout, Progress: os.Stderr}
	flags := flag.NewFlagSet("gateway-bench", flag.ContinueOnError)
	flags.StringVar(&options.Parts, "parts", bench.Parts, "what is measured")
	flags.IntVar(&options.Rounds, "rounds", 5, "how often each side is loaded")
	flags.DurationVar(&options.Time, "time", 5*time.Second, "how long each time")
	flags.IntVar(&options.Connections, "connections", 8, "number of concurrent clients")
	flags.IntVar(&options.PerSecond, "rate", 1000, "requests a second at which latencies are compared")
	flags.IntVar(&options.Refusals, "refusals", 1_000_000, "refused calls to knock at a full window with")
	flags.Float64Var(&options.DigestMost, "digest", bench.DigestMost,
		"maximum time of the fingerprint of the worst body, of the time to parse it")
	tools := flags.String("tools", ".tools", "folder with programs of other gateways that are not installed in the system")
	flags.StringVar(&options.ReportFile, "report", "", "file that gets all figures as JSON")
	if err := flags.Parse(args); err != nil {
		return err
	}
	options.Roots = []string{filepath.Join(*tools, "nginx"), "/"}
	return bench.Run(ctx, options)
}
