package panels

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// texts returns the texts of ticks.
func texts(all []tick) []string {
	out := make([]string, len(all))
	for n, one := range all {
		out[n] = one.Text
	}
	return out
}

// An axis has round numbers with their unit, and reaches at least to the highest value, or to the panel's maximum.
func TestAxis_roundNumbersWithUnits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		highest, most float64
		unit          string
		want          []string
	}{
		"milliseconds":      {.083, 0, "s", []string{"0 ms", "50 ms", "100 ms"}},
		"minutes":           {430, 0, "s", []string{"0 min", "5 min", "10 min"}},
		"percent":           {.0031, 0, "percentunit", []string{"0 %", "0.2 %", "0.4 %"}},
		"up to the maximum": {.2, 1, "percentunit", []string{"0 %", "50 %", "100 %"}},
		"bytes":             {3 << 20, 0, "bytes", []string{"0 MiB", "2 MiB", "4 MiB"}},
		"rates":             {140, 0, "reqps", []string{"0 req/s", "100 req/s", "200 req/s"}},
		"numbers":           {7, 0, "short", []string{"0", "5", "10"}},
		"no values":         {0, 0, "short", []string{"0", "0.5", "1"}},
	} {
		a := newAxis(c.highest, c.most, c.unit, 2*rowDistance)
		require.Equal(t, c.want, texts(a.ticks(2*rowDistance)), name)
		require.InDelta(t, 2*rowDistance, a.y(0, 2*rowDistance), 1e-9, name)
		require.GreaterOrEqual(t, a.top, c.highest, name)
	}
}

// The horizontal axis shows the time of day, at full seconds or minutes, with as many ticks as there is space for.
func TestAxis_timeOfDay(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"00:01:00", "00:01:30", "00:02:00"}, texts(period{59.5, 121}.ticks(3*columnDistance)))
	require.Equal(t, []string{"01:00", "01:10", "01:20"}, texts(period{3600, 4800}.ticks(3*columnDistance)))
}

// one returns a series with these values, one scrape apart; negative values stand for missing points.
func one(labels map[string]string, values ...float64) named {
	s := named{Series: Series{Labels: labels}, name: "n"}
	for n, value := range values {
		if value >= 0 {
			s.Points = append(s.Points, Point{float64(n) * scrapeInterval.Seconds(), value})
		}
	}
	return s
}

// Stacked lines are added up at each moment, other lines start at 0.
func TestStack_sumsByMoment(t *testing.T) {
	t.Parallel()
	all := []named{one(nil, 1, 2, 3), one(nil, 4, -1, 5)}
	bodies, highest := stack(all, true)
	require.Equal(t, [][]span{{{0, 0, 1}, {2, 0, 2}, {4, 0, 3}}, {{0, 1, 5}, {4, 3, 8}}}, bodies)
	require.InDelta(t, 8, highest, 1e-9)
	_, highest = stack(all, false)
	require.InDelta(t, 5, highest, 1e-9)
}

// A line is interrupted where a value is missing.
func TestUnbroken_gapsInterruptLines(t *testing.T) {
	t.Parallel()
	bodies, _ := stack([]named{one(nil, 1, 1, -1, 1)}, false)
	require.Equal(t, [][]span{{{0, 0, 1}, {2, 0, 1}}, {{6, 0, 1}}}, unbroken(bodies[0]))
	require.Empty(t, unbroken(nil))
}

// A heat map shows the count of each bucket alone, not the cumulative count, and the bounds of the buckets on its axis.
func TestHeat_differencesOfBuckets(t *testing.T) {
	t.Parallel()
	d := drawn{Panel: Panel{Title: "t"}, Width: 1000, Height: 356}
	d.FieldConfig.Defaults.Unit = "s"
	d.heat([]named{
		one(map[string]string{"le": "+Inf"}, 9, 9), one(map[string]string{"le": "0.1"}, 5, 8), one(map[string]string{"le": "1"}, 9, 9),
	}, period{-2, 2})
	require.Equal(t, []string{"≤ 100 ms", "≤ 1 s", "∞"}, texts(d.Rows))
	height, width := float64(d.PlotHeight)/3, float64(d.PlotWidth)/2
	require.Equal(t, []cell{
		{0, height, width, height, d.Cells[0].Heat}, {0, 2 * height, width, height, d.Cells[1].Heat},
		{width, height, width, height, d.Cells[2].Heat}, {width, 2 * height, width, height, 1},
	}, d.Cells)
	require.InDelta(t, 4.0/8, d.Cells[0].Heat*d.Cells[0].Heat, 1e-9)
	require.InDelta(t, 1.0/8, d.Cells[2].Heat*d.Cells[2].Heat, 1e-9)
}
