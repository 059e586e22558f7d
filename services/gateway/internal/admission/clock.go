package admission

import (
	"errors"
	"sync/atomic"
	"time"
)

// lateMargin is how much longer than its caller waits a command may still run. A Redis that was halted runs what waits
// for it when it goes on; the callers have been told long before that their calls were not processed, so such a command
// must not charge them or hold their idempotency keys.
const lateMargin = 110 * time.Millisecond

// errLate says that the clock of Redis jumped forward twice within one call.
var errLate = errors.New("admission: the clock of Redis does not stand")

// started is what the clocks' distances are measured from; it is monotonic.
var started = time.Now()

// setBack is how far Redis's clock must have gone back to be believed. Below that it is rather us who were slow to look
// at an answer.
const setBack = time.Second

// clock guesses what time it is at Redis from its answers. The quickest answer is the best one, so that a gateway short
// of processor time does not take its own slowness for lateness.
type clock struct {
	offset atomic.Int64 // µs from our own time to that of Redis; 0 when it is not known
	// lateAfter is how long after it was sent a command may still run: more than any caller waits.
	lateAfter time.Duration
}

// learn updates the offset from the time in an answer from Redis.
func (c *clock) learn(redis time.Time) {
	heard := redis.UnixMicro() - time.Since(started).Microseconds()
	if known := c.offset.Load(); heard > known || heard < known-setBack.Microseconds() {
		c.offset.Store(heard)
	}
}

// deadline is the Redis time in µs after which a command that is sent now must not run any more; 0 for a Redis that
// has never been heard.
func (c *clock) deadline() int64 {
	offset := c.offset.Load()
	if offset == 0 {
		return 0
	}
	return offset + (time.Since(started) + c.lateAfter).Microseconds()
}
