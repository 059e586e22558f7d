package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMain lets the program start itself for the processes that are measured, as gateway-bench does.
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

// Every part starts what it measures and prints what it found. How fast that was is no matter of a test.
func TestRun_everyPart(t *testing.T) {
	t.Parallel()
	var out, progress bytes.Buffer
	err := Run(t.Context(), Options{
		Parts: Parts, Rounds: 1, Time: 100 * time.Millisecond, Connections: 2, PerSecond: 20, Refusals: 100, DigestMost: time.Hour, Out: &out, Progress: &progress,
	})
	require.NoError(t, err, "%s", progress.String())
	for _, found := range []string{"first process call  gateway", "added latency at", "memory of a key", "the gateway at rest", "fingerprint of a body of 4 MiB"} {
		require.Contains(t, out.String(), found)
	}
}
