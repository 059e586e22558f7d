package web

import (
	"context"
	"runtime"

	"sellerapi.dev/pkg/apierr"
)

// usualBody is the size up to which bodies are processed without a limit: a batch of 500 ordinary entries has a third of it.
const usualBody = 256 << 10

// IsLarge reports whether bodies of this size need a slot.
func IsLarge(size int64) bool { return size > usualBody }

// slots limits how many larger bodies this process handles concurrently. Checking one takes tens of milliseconds of CPU time,
// and a key may send several at once; half of the CPUs remain for all other calls.
var slots = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))

// InSlot calls work for a body of this size: immediately if it is at most usualBody, else after waiting for a slot. It returns
// apierr.Unavailable without calling work when ctx is done before.
func InSlot(ctx context.Context, size int64, work func()) error {
	if !IsLarge(size) {
		work()
		return nil
	}
	select {
	case slots <- struct{}{}:
	case <-ctx.Done():
		return apierr.Unavailable.Because(ctx.Err())
	}
	defer func() { <-slots }()
	work()
	return nil
}
