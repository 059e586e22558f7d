// 12 MiB held after a burst of answers on 200 connections, in the place of 45: BenchmarkIdle, five runs of each side one after the other on a
// busy machine (load 6). It is memory that this saves; throughput has nothing of it, because it waits for a second without work.

package service

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// idleTick is the time between two looks at what a process has allocated.
	idleTick = time.Second
	// idleBytes is the most that a process with nothing to do allocates in a tick, for probes and sweeps.
	idleBytes = 256 << 10
	// busyBytes is what has to be allocated before it is worth to give memory back again.
	busyBytes = 8 << 20
)

// releaseWhenIdle gives memory back to the system each time that the process has nothing more to do, until ctx ends. The collector
// runs by what is allocated: after a burst it would leave the garbage, and the stacks of idle connections as large as their requests
// made them, for minutes.
func releaseWhenIdle(ctx context.Context) {
	ticker := time.NewTicker(idleTick)
	defer ticker.Stop()
	var memory allocations
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if memory.idle(allocated()) {
				debug.FreeOSMemory()
			}
		}
	}
}

// allocated is how many bytes the process has ever allocated.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// allocations are all up to the last look, and all when memory was last given back.
type allocations struct{ seen, released uint64 }

// idle reports whether memory is to be given back, now that so much has ever been allocated: since the last look nearly nothing, and
// since the last time much.
func (a *allocations) idle(total uint64) bool {
	quiet := total-a.seen <= idleBytes
	a.seen = total
	if !quiet || total-a.released < busyBytes {
		return false
	}
	a.released = total
	return true
}
