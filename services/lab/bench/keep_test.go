package bench

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/lab/report"
)

// README.md shows the report that was kept last.
func TestReadme_keptReport(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(keptReport)
	require.NoError(t, err)
	var kept report.Report
	require.NoError(t, json.Unmarshal(text, &kept))
	page, err := os.ReadFile("README.md")
	require.NoError(t, err)
	want, err := withGoals(string(page), &kept)
	require.NoError(t, err)
	require.Equal(t, want, string(page))
}

// A run replaces the goals of the one before, and nothing else of the page.
func TestKeep(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	page := filepath.Join(folder, "README.md")
	require.Error(t, keep(folder, report.New(io.Discard)), "no page")
	require.NoError(t, os.WriteFile(page, []byte("before\n"), 0o600))
	require.Error(t, keep(folder, report.New(io.Discard)), "no place")
	require.NoError(t, os.WriteFile(page, []byte("before\n"+goalsBegin+"old\n"+goalsEnd+"after\n"), 0o600))
	r := report.New(io.Discard)
	r.Add(report.Bar{Name: "new", Unit: "x", AtMost: 2}.Compare(1))
	require.NoError(t, keep(folder, r))
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	require.NotContains(t, string(text), "old")
	require.Contains(t, string(text), "| new | 1 x | ≤ 2 | met |")
	require.Contains(t, string(text), goalsEnd+"after\n")
	require.FileExists(t, filepath.Join(folder, keptReport))
}
