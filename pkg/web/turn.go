package web

import (
	"context"
	"runtime"

	"sellerapi.dev/pkg/apierr"
)

// usualBody is the size of bodies that any number of are worked on at once: a batch of 500 ordinary entries has a third of it.
const usualBody = 256 << 10

// turns bounds how many larger bodies this process works on at once. Checking one takes tens of milliseconds of a processor, and a key
// may send several at once: half of the processors are left to all other calls.
var turns = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))

// InTurn works on a body of so many bytes: at once on one of the usual size, on a larger one when its turn has come. Errors:
// apierr.Unavailable when ctx ended before; work was not done then.
func InTurn(ctx context.Context, size int64, work func()) error {
	if size <= usualBody {
		work()
		return nil
	}
	select {
	case turns <- struct{}{}:
	case <-ctx.Done():
		return apierr.Unavailable.Because(ctx.Err())
	}
	defer func() { <-turns }()
	work()
	return nil
}
