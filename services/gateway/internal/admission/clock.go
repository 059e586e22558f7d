package admission

import (
	"errors"
	"sync/atomic"
	"time"
)

// lateMargin is how long after its caller's timeout a command may still run. A Redis that was paused runs the queued commands
// when it continues; the callers have long been told that their calls were not processed, so such a command must not charge
// them or lock their idempotency keys.
const lateMargin = 110 * time.Millisecond

// errLate says that the clock of Redis jumped forward twice within one call.
var errLate = errors.New("admission: the clock of Redis keeps jumping forward")

// started is the reference for clock offsets; it is monotonic.
var started = time.Now()

// setBack is the minimum by which the Redis clock must go back to be accepted. A smaller difference is rather caused by the
// gateway's delay in reading an answer.
const setBack = time.Second

// clock estimates the current Redis time from its answers. The fastest answer gives the best estimate, so that a gateway short
// of CPU time does not mistake its own delay for a late command.
type clock struct {
	offset atomic.Int64 // µs from the gateway's time to that of Redis; 0 if unknown
	// lateAfter is how long after sending a command may still run: longer than any caller waits.
	lateAfter time.Duration
}

// learn updates the offset from the time in an answer from Redis.
func (c *clock) learn(redis time.Time) {
	reported := redis.UnixMicro() - time.Since(started).Microseconds()
	if known := c.offset.Load(); reported > known || reported < known-setBack.Microseconds() {
		c.offset.Store(reported)
	}
}

// deadline returns the Redis time in µs after which a command sent now must not run any more; 0 for a Redis that has not answered
// yet.
func (c *clock) deadline() int64 {
	offset := c.offset.Load()
	if offset == 0 {
		return 0
	}
	return offset + (time.Since(started) + c.lateAfter).Microseconds()
}
