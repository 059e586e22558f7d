package report_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/lab/report"
)

// A figure that equals its bar meets it, for lower and upper bars; one that could not be measured misses it.
func TestCompare(t *testing.T) {
	t.Parallel()
	most, least := report.Bar{Name: "CPU", Unit: "x", AtMost: 20}, report.Bar{Name: "rate", AtLeast: 0.6}
	require.Equal(t, report.Goal{Name: "CPU", Unit: "x", Bar: "≤ 20", Value: 20, Met: true}, most.Compare(20))
	require.False(t, most.Compare(20.1).Met)
	require.Equal(t, report.Goal{Name: "rate", Bar: "≥ 0.6", Value: 0.6, Met: true}, least.Compare(0.6))
	require.False(t, least.Compare(0.59).Met)
	require.False(t, least.Compare(math.NaN()).Met)
	require.False(t, least.Compare(math.Inf(1)).Met)
	require.False(t, report.Bar{AtMost: 0}.Compare(1).Met)
}

// A run fails at its end when one goal or more were missed, says how many, and has printed and written all of them.
func TestFinish(t *testing.T) {
	t.Parallel()
	bar := report.Bar{Name: "CPU", Unit: "x", AtMost: 1.5}
	var out bytes.Buffer
	file := filepath.Join(t.TempDir(), "report.json")
	r := report.New(&out)
	require.NoError(t, r.Finish(""))
	r.Add(bar.Compare(1), report.Shown("seen", 3, "calls", "of 4"))
	require.NoError(t, r.Finish(""))
	r.Add(bar.Compare(2), bar.Compare(math.NaN()))
	require.NoError(t, r.Table("a table", []string{"name"}, [][]string{{"cell"}}))
	err := r.Finish(file)
	require.ErrorIs(t, err, report.ErrMissed)
	require.EqualError(t, err, "a goal is missed: 2 of 4")
	require.Regexp(t, `CPU +2 x +≤ 1.5 +MISSED`, out.String())
	require.Regexp(t, `seen +3 calls +of 4\n`, out.String())

	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var read report.Report
	require.NoError(t, json.Unmarshal(text, &read))
	require.Equal(t, r.Goals, read.Goals)
	require.Equal(t, r.Tables, read.Tables)
	require.Contains(t, read.Markdown(), "| CPU | 2 x | ≤ 1.5 | MISSED |\n")
}
