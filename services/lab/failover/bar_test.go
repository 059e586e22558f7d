package failover

import (
	"bytes"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var began = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// at returns moments, given in seconds after the kill.
func at(seconds ...float64) []time.Time {
	moments := make([]time.Time, len(seconds))
	for i, s := range seconds {
		moments[i] = began.Add(time.Duration(s * float64(time.Second)))
	}
	return moments
}

// The time without a success begins with the last success before the kill, and ends with the next success or the end of the
// trial.
func TestLongest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		successes []float64
		want      time.Duration
	}{
		"longest around the kill":          {[]float64{-3, -0.5, 2, 2.5, 3}, 2500 * time.Millisecond},
		"longest after the kill":           {[]float64{-0.5, 0.5, 2.5, 3}, 2 * time.Second},
		"gaps before the kill are ignored": {[]float64{-9, -1, 0.5, 1, 1.5, 2, 2.5, 3}, 1500 * time.Millisecond},
		"until the end":                    {[]float64{-0.5, 0.5}, 3500 * time.Millisecond},
		"none":                             {nil, 4 * time.Second},
		"unsorted":                         {[]float64{3, 2, -0.5, 1, 4}, 1500 * time.Millisecond},
	} {
		require.Equal(t, c.want, longest(at(c.successes...), began, at(4)[0]), name)
	}
}

// calls returns findings with process calls of two sellers, one of which does not need the server that is killed.
func calls() findings {
	made := func(no, seller string, status, last int) record {
		return record{
			call: call{class: process, order: order{seller: named(seller), no: no}, effect: shipped}, status: status,
			last: last, answered: began,
		}
	}
	return findings{
		killed: began, ended: began.Add(time.Second), affects: func(c call) bool { return c.order.seller.id == "a" },
		records: []record{
			made("1", "a", http.StatusOK, 0), made("2", "a", http.StatusServiceUnavailable, http.StatusOK),
			made("3", "a", 0, http.StatusServiceUnavailable), made("4", "b", http.StatusOK, 0),
			{call: call{class: read, order: order{seller: named("b")}}, status: http.StatusOK, answered: began},
		},
		remains: remains{effects: map[part]map[effect]int{
			{"1", "a"}: {shipped: 1}, {"2", "a"}: {shipped: 1},
			{"4", "b"}: {shipped: 1},
		}},
	}
}

func named(id string) seller { return seller{id: id} }

// A call is lost when it succeeded, at once or on a retry, and has no effect in the database; a call that never succeeded
// is counted apart.
func TestAccount(t *testing.T) {
	t.Parallel()
	f := calls()
	require.Equal(t, account{acknowledged: 2, failed: 2, refused: 1}, f.account())
	require.Len(t, f.failed(), 2)
	require.Equal(t, map[int]int{0: 1, http.StatusOK: 2, http.StatusServiceUnavailable: 1}, f.statuses(process))
	require.Equal(t, time.Second, f.silence(read, true), "reads do not need the server")

	f.effects = map[part]map[effect]int{{"1", "a"}: {prepared: 1}, {"2", "a"}: {shipped: 2}, {"3", "a"}: {shipped: 1}}
	require.Equal(t, account{acknowledged: 2, failed: 2, lost: 2, doubled: 1, refused: 1}, f.account())
}

// A second too many and one lost call are missed goals; what is only shown is not.
func TestGoals(t *testing.T) {
	t.Parallel()
	require.True(t, seconds("x", 2*time.Second, 2*time.Second).Met)
	require.False(t, seconds("x", 2*time.Second+time.Millisecond, 2*time.Second).Met)
	require.True(t, none("x", 0).Met)
	require.False(t, none("x", 1).Met)
	f := calls()
	for _, goal := range f.goals("trial") {
		require.Equal(t, goal.Name != "trial: failed calls that did not succeed afterwards", goal.Met, goal.Name)
	}
}

// A trial that cannot be measured ends neither the others nor the table.
func TestRun_failedTrialEndsNoOther(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	err := Run(t.Context(), Options{
		Dir: filepath.Join(t.TempDir(), "run"), Trials: []string{"first", "second"},
		Out: &out, Progress: &out,
	})
	require.ErrorContains(t, err, "no trial is named first")
	require.ErrorContains(t, err, "no trial is named second")
	require.Contains(t, out.String(), "measured")
}
