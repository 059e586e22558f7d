package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/lab/report"
)

// TestMain runs the processes that the benchmark starts this test binary again for.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == ChildCommand {
		if err := Child(context.Background(), os.Stdout, os.Args[2:]); err != nil {
			_, _ = fmt.Fprintln(os.Stderr, err)
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
		Parts:   strings.Split(Parts, ","),
		Cases:   []string{plainPage, "orders, paid_at, ten minutes", "claims page"},
		Sellers: 8, Orders: 400, Page: 5, Variants: 3, Claims: 5, Sizes: []int{20, 60}, Batch: 20, GrowthCalls: 1,
		Concurrency: 2, Rounds: 1, Time: time.Second, Connections: 10, Held: 30, Out: out, Progress: &bytes.Buffer{},
	}
}

// Every part measures the services as they are built, and its results are in the report.
func TestRun_everyPart(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	options := tiny(t, &out)
	ended := Run(t.Context(), options)

	var got report.Report
	text, err := os.ReadFile(options.Report)
	require.NoError(t, err, "the run ended with %v", ended)
	require.NoError(t, json.Unmarshal(text, &got))
	if want := report.Missed(got.Goals); want != nil {
		require.EqualError(t, ended, want.Error())
	} else {
		require.NoError(t, ended)
	}
	require.Len(t, got.Yardsticks, 10)
	require.Len(t, got.Goals, (1+len(gatewayCalls))+2+1+(1+2)+(2+4)+2+4)
	for _, one := range got.Goals {
		require.Contains(t, out.String(), one.Name)
		if one.Unit == "x" { // a difference of memory can be none
			require.Positive(t, one.Value, one.Name)
		}
		require.Contains(t, []string{"x", "KiB", "MiB", "%"}, one.Unit, "no bar is a time")
	}
	rows := map[string]int{}
	for _, table := range got.Tables {
		rows[strings.Split(table.Title, ",")[0]] += len(table.Rows)
	}
	require.Equal(t, map[string]int{
		"the gateway in front of a constant service": 2 * len(gatewayCalls), "footprint": len(services) + 1,
		"reads": len(options.Cases), "process calls": 7, "batches": 3,
		"imported orders": singles + printed, "orders that were processed here": singles + printed,
	}, rows)
}

// singles is the number of single filters and of the list without one.
var singles = 1 + len(filters())
