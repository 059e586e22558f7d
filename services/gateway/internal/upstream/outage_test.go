package upstream

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A client that waits as it is told does not spend its calls of a minute on an outage, and gets through soon after it.
func TestOutage_waitGrows(t *testing.T) {
	t.Parallel()
	var away outage
	began := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct{ after, want time.Duration }{
		{0, time.Second},
		{time.Second, time.Second},
		{2500 * time.Millisecond, 2500 * time.Millisecond},
		{6 * time.Second, 6 * time.Second},
		{time.Hour, 6 * time.Second},
		{-time.Hour, time.Second},
	} {
		require.Equal(t, test.want, away.goesOn(began.Add(test.after)), test.after)
	}
	away.ends()
	again := began.Add(2 * time.Hour)
	require.Equal(t, time.Second, away.goesOn(again), "another outage")
	spent := 0
	for at := time.Duration(0); at < time.Minute; spent++ {
		at += away.goesOn(again.Add(at))
	}
	require.Less(t, spent, 15, "of thirty calls during an outage of a minute")
}
