package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch/goal"
	"sellerapi.dev/services/gateway/internal/worst"
)

// TestMain lets the program start itself for the measured processes, as gateway-bench does.
func TestMain(m *testing.M) {
	if handled, err := Child(context.Background(), os.Args[1:]); handled {
		if err != nil {
			_, _ = fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Every part starts what it measures and prints its results. Tests do not check the speed: goals that cannot be met end
// nothing, and the run fails after it has measured everything and written its report.
func TestRun_everyPart(t *testing.T) {
	t.Parallel()
	var out, progress bytes.Buffer
	file := filepath.Join(t.TempDir(), "report.json")
	err := Run(t.Context(), Options{
		Parts: Parts, Rounds: 1, Time: 100 * time.Millisecond, Connections: 2, PerSecond: 20, Refusals: 100, DigestMost: 1e-9,
		Out: &out, Progress: &progress, ReportFile: file,
	})
	require.ErrorIs(t, err, goal.ErrMissed, "%s", progress.String())
	for _, found := range []string{
		"first process call  gateway", "added latency at", "memory of a key", "the gateway at rest", "fingerprint of a body of 4 MiB",
		"nginx with its Lua module is not installed: not compared",
	} {
		require.Contains(t, out.String(), found)
	}
	text, failed := os.ReadFile(file)
	require.NoError(t, failed)
	var report Report
	require.NoError(t, json.Unmarshal(text, &report))
	require.Len(t, report.Calls, 12, "four kinds of requests on three sides")
	bodies := len(worst.Bodies(1))
	require.Len(t, report.Goals, 12+bodies, "three bars for each kind, one for each body, none for a gateway that is not installed")
	for _, missed := range report.Goals[:bodies] {
		require.False(t, missed.Met, missed.Name)
		require.Equal(t, "x", missed.Unit)
	}
	require.EqualError(t, err, goal.Missed(report.Goals).Error(), "nothing else has failed")
	require.Empty(t, report.Peers)
}
