package pgtest

import (
	"runtime"
	"testing"
)

type failureRecorder struct {
	testing.TB
	failed bool
}

// Errorf implements testing.TB.
func (r *failureRecorder) Errorf(string, ...any) { r.failed = true }

// FailNow implements testing.TB: it ends the goroutine.
func (r *failureRecorder) FailNow() { r.failed = true; runtime.Goexit() }

// Fails reports whether a check of this package fails.
func Fails(tb testing.TB, check func(testing.TB)) bool {
	tb.Helper()
	recorder := &failureRecorder{TB: tb}
	done := make(chan struct{})
	go func() {
		defer close(done)
		check(recorder)
	}()
	<-done
	return recorder.failed
}
