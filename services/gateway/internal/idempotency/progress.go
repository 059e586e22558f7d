package idempotency

import (
	"sync"
	"time"

	"sellerapi.dev/pkg/telemetry"
)

// InProgress tracks the keys that an instance has begun and not ended. The zero value is ready to use; it is safe for concurrent use.
type InProgress struct {
	mu    sync.Mutex
	next  uint64
	began map[uint64]time.Time
}

// Begin records a key that begins now; the returned function must be called when the key has ended.
func (p *InProgress) Begin(now time.Time) (ended func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.began == nil {
		p.began = map[uint64]time.Time{}
	}
	p.next++
	number := p.next
	p.began[number] = now
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.began, number)
	}
}

// Oldest returns the age of the oldest key in progress; 0 if there is none.
func (p *InProgress) Oldest(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	oldest := time.Duration(0)
	for _, began := range p.began {
		oldest = max(oldest, now.Sub(began))
	}
	return oldest
}

// Observe reports the age of the oldest key at every scrape.
func (p *InProgress) Observe(tel *telemetry.Telemetry) error {
	return tel.Observe(func(emit telemetry.Emit) {
		emit(telemetry.IdempotencyOldest, p.Oldest(time.Now()).Seconds())
	}, telemetry.IdempotencyOldest)
}
