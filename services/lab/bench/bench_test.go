package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch/goal"
)

// TestMain receives spans when the benchmark starts this test binary again as its receiver.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == CollectorCommand {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		err := ReceiveSpans(ctx, os.Stdout)
		stop()
		if err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func tiny(t *testing.T, out *bytes.Buffer) Options {
	t.Helper()
	dir := t.TempDir()
	return Options{
		Tree: "../../..", Dir: filepath.Join(dir, "run"), Report: filepath.Join(dir, "report.json"),
		Parts:   []string{"footprint", "reads", "shipments", "batches", "growth"},
		Cases:   []string{"orders, first page", "claims page", "inquiries page"},
		Sellers: 8, Orders: 400, Page: 5, Variants: 3, Claims: 5, Sizes: []int{20, 60}, Batch: 20, GrowthCalls: 1, Cold: 1,
		Concurrency: 2, Rounds: 1, Time: time.Second, Connections: 10, Out: out, Progress: &bytes.Buffer{},
	}
}

// requireMissedOnly asserts that a run ended with the goals that its report says are missed, and with nothing else.
func requireMissedOnly(t *testing.T, report Report, ended error) {
	t.Helper()
	if want := goal.Missed(report.Goals); want != nil {
		require.EqualError(t, ended, want.Error())
		return
	}
	require.NoError(t, ended)
}

// Every part measures the services as they are built, and its results are in the report.
func TestRun_everyPart(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	options := tiny(t, &out)
	ended := Run(t.Context(), options)

	var report Report
	text, err := os.ReadFile(options.Report)
	require.NoError(t, err, "the run ended with %v", ended)
	require.NoError(t, json.Unmarshal(text, &report))
	requireMissedOnly(t, report, ended)
	require.Positive(t, report.Spans)
	require.Len(t, report.Parts, len(parts))
	require.Len(t, report.Calls, len(options.Cases)+3)
	for _, call := range report.Calls {
		for name, side := range call.Sides {
			require.Positive(t, side.PerSecond.Median, call.Name, name)
			require.Positive(t, side.CPU["postgres"].Median, call.Name, name)
		}
		require.Positive(t, call.Sides[throughGateway].CPU["gateway"].Median, call.Name)
		require.Equal(t, slices.Contains(options.Cases, call.Name), call.Compressing > 0, call.Name)
	}
	require.Len(t, report.Batches, 3)
	require.Len(t, report.Growth, 2*len(combinations()))
	require.Len(t, report.Footprint.Services, len(services))
	require.Len(t, report.Goals, len(bars())-2*2) // last and oldest page are not among the cases of this test
	for _, one := range report.Goals {
		require.Contains(t, out.String(), one.Name)
	}
}
