package service

import (
	"context"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Memory is returned once after each burst, and never while the service is busy.
func TestAllocations_idle(t *testing.T) {
	t.Parallel()
	const mebi = 1 << 20
	var a allocations
	for n, look := range []struct {
		total uint64
		want  bool
	}{
		{5 * mebi, false},
		{5 * mebi, false}, // never used much
		{20 * mebi, false},
		{35 * mebi, false}, // busy
		{35*mebi + idleBytes, true},
		{35*mebi + 2*idleBytes, false}, // returned already
		{36 * mebi, false},
		{50 * mebi, false},
		{50*mebi + 1, true},
	} {
		require.Equal(t, look.want, a.idle(look.total), "look %d", n)
	}
}

// Garbage of a burst is collected although nothing more is allocated.
func TestReleaseWhenIdle(t *testing.T) { //nolint:paralleltest // sets how the collector of the whole process runs
	before := debug.SetGCPercent(-1) // no automatic collection
	defer debug.SetGCPercent(before)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); releaseWhenIdle(ctx) }()
	defer func() { stop(); <-ended }()
	collected := make(chan struct{})
	func() {
		burst := make([]byte, 2*busyBytes)
		runtime.AddCleanup(&burst[0], func(int) { close(collected) }, 0)
	}()
	select {
	case <-collected:
	case <-time.After(time.Minute):
		t.Fatal("the burst is still there")
	}
}
