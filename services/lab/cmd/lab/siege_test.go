package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/lab/report"
	"sellerapi.dev/services/lab/siege"
)

// TestMain runs the system when the siege starts this test binary again as its
// child process.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "up" {
		main()
		return
	}
	os.Exit(m.Run())
}

// Every attack is answered as expected. The test ignores the cost of an attack.
func TestSiege_everyAttack(t *testing.T) {
	t.Parallel()
	var out, progress bytes.Buffer
	err := siege.Run(t.Context(), siege.Options{
		Dir: filepath.Join(t.TempDir(), "siege"), Orders: 50, Rounds: 1, Calls: 4, Connections: 40, Neighbors: 2, Time: 3 * time.Second,
		Out: &out, Progress: &progress,
	})
	if !errors.Is(err, report.ErrMissed) {
		require.NoError(t, err, progress.String())
	}
	require.Equal(t, 36, strings.Count(out.String(), "\n"), out.String())
}
