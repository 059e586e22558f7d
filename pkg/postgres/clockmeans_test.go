package postgres

import (
	"maps"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func seller(n byte) uuid.UUID { return uuid.UUID{n} }

func (w *clockWaits) wait(at time.Time, of uuid.UUID, wait time.Duration) {
	w.add(at, split(wait, []uuid.UUID{of}, nil))
}

// The averages cover the window before the last scrape and the time since, then the waits are forgotten.
func TestClockWaits_windows(t *testing.T) {
	t.Parallel()
	w := newClockWaits(noon)
	for range 3 {
		w.wait(noon, seller(1), 2*time.Second)
	}
	want := map[uuid.UUID]waited{seller(1): {total: 6 * time.Second, changes: 3}}
	for _, step := range []struct {
		after, length time.Duration
		want          map[uuid.UUID]waited
	}{
		{10 * time.Second, 10 * time.Second, want},
		{20 * time.Second, 20 * time.Second, want}, // ends the first window
		{40 * time.Second, 40 * time.Second, want},
		{60 * time.Second, 40 * time.Second, map[uuid.UUID]waited{}},
	} {
		got, length := w.read(noon.Add(step.after))
		require.Equal(t, step.length, length, step.after)
		require.Equal(t, step.want, got, step.after)
	}
}

// Without scrapes the sellers of more than a few minutes are not kept.
func TestClockWaits_neverScraped(t *testing.T) {
	t.Parallel()
	w := newClockWaits(noon)
	w.wait(noon, seller(1), time.Second)
	w.wait(noon.Add(waitsKept+time.Second), seller(2), time.Second)
	all, _ := w.read(noon.Add(waitsKept + 2*time.Second))
	require.Equal(t, map[uuid.UUID]waited{seller(2): {total: time.Second, changes: 1}}, all)
}

// A tick of several sellers waits for one of them; the times of the clocks tell for which.
func TestClockWaits_splitBySeller(t *testing.T) {
	t.Parallel()
	all := []uuid.UUID{seller(3), seller(1), seller(2), seller(1)}
	at := func(times ...time.Duration) map[uuid.UUID]time.Time {
		return map[uuid.UUID]time.Time{seller(1): noon.Add(times[0]), seller(2): noon.Add(times[1]), seller(3): noon.Add(times[2])}
	}
	for name, c := range map[string]struct {
		times map[uuid.UUID]time.Time
		want  [3]time.Duration
	}{
		"first":           {at(0, 980, 990), [3]time.Duration{980, 10, 10}},
		"middle":          {at(0, 10, 990), [3]time.Duration{10, 980, 10}},
		"last":            {at(0, 10, 20), [3]time.Duration{10, 10, 980}},
		"clock set back":  {at(5000, 10, 20), [3]time.Duration{0, 10, 990}},
		"clock far ahead": {at(0, 5000, 20), [3]time.Duration{1000, 0, 0}},
		"failed":          {nil, [3]time.Duration{333, 333, 333}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := map[uuid.UUID]time.Duration{seller(1): c.want[0], seller(2): c.want[1], seller(3): c.want[2]}
			require.Equal(t, want, maps.Collect(split(1000, all, c.times)))
		})
	}
}

// Only the five sellers that waited longest have a series, however many there are.
func TestClockWaits_fiveShown(t *testing.T) {
	t.Parallel()
	w, tel := newClockWaits(time.Now()), telemetrytest.Discard(t)
	require.NoError(t, tel.Observe(w.emit, telemetry.SellerClockWaiting, telemetry.SellerClockWait))
	for n := range byte(200) {
		w.wait(time.Now(), seller(n), time.Duration(n)*time.Second)
	}
	for _, metric := range []telemetry.Metric{telemetry.SellerClockWaiting, telemetry.SellerClockWait} {
		found, err := testutil.GatherAndCount(tel.Registry, metric.Name)
		require.NoError(t, err)
		require.Equal(t, waitsShown, found, metric.Name)
	}
	families, err := tel.Registry.Gather()
	require.NoError(t, err)
	for _, family := range families {
		if family.GetName() == telemetry.SellerClockWait.Name {
			for n, series := range family.GetMetric() {
				require.Equal(t, seller(byte(195+n)).String(), series.GetLabel()[0].GetValue())
				require.InDelta(t, 195+n, series.GetGauge().GetValue(), 0)
			}
		}
	}
}
