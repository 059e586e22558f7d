package upstream

import (
	"sync/atomic"
	"time"
)

// retryLongest is the longest Retry-After of a call to a service that is away: a client that follows it spends few calls on an
// outage, and gets through soon after its end.
const retryLongest = 6 * time.Second

// outage is the time for which a service has sent nothing. The zero value is no outage; it is safe for concurrent use.
type outage struct {
	began atomic.Int64 // Unix time in ns of the first call in a row that got nothing; 0 when the last one was answered
}

// goesOn records a call that got nothing and returns how long its client should wait: as long as the outage has lasted, a second
// at least.
func (o *outage) goesOn(now time.Time) time.Duration {
	o.began.CompareAndSwap(0, now.UnixNano())
	return min(max(time.Duration(now.UnixNano()-o.began.Load()), time.Second), retryLongest)
}

func (o *outage) ends() {
	if o.began.Load() != 0 {
		o.began.Store(0)
	}
}
