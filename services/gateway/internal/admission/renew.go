package admission

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/idempotency"
)

// leases are the idempotency keys that calls of this instance hold. One timer renews all of them, which runs only while there
// are any.
type leases struct {
	mu    sync.Mutex
	held  map[*lease]struct{}
	armed bool
}

type lease struct {
	began   time.Time
	seller  uuid.UUID
	request idempotency.Request
	token   string
}

// Hold keeps the idempotency key that an admitted call has begun, however long the call takes, until release is called. If the
// instance dies, or cannot reach Redis for the life of a lease, the key becomes free; the owning service's record keeps the
// effects of two calls apart then.
func (a *Admitter) Hold(call Call, decision Decision, request idempotency.Request) (release func()) {
	held := &lease{began: time.Now(), seller: call.Key.SellerID, request: request, token: decision.ticket.token}
	l := &a.leases
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held == nil {
		l.held = map[*lease]struct{}{}
	}
	l.held[held] = struct{}{}
	a.arm()
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.held, held)
	}
}

// arm starts the timer of the next renewal unless it runs or nothing is held. The caller has locked the leases.
func (a *Admitter) arm() {
	if !a.leases.armed && len(a.leases.held) > 0 {
		a.leases.armed = true
		time.AfterFunc(a.locks.RenewEvery(), a.renew)
	}
}

// renew renews the leases that are due, and starts the timer again while any are held.
func (a *Admitter) renew() {
	a.renewDue(time.Now().Add(-a.locks.RenewEvery()))
	a.leases.mu.Lock()
	defer a.leases.mu.Unlock()
	a.leases.armed = false
	a.arm()
}

// renewDue renews the leases that began before a time, all at once, so that they share round trips as calls do. One that is
// lost stays lost, because another call may hold the key; one that cannot be renewed now is tried again with the next.
func (a *Admitter) renewDue(before time.Time) {
	var renewals sync.WaitGroup
	for _, held := range a.leases.due(before) {
		renewals.Go(func() { _, _ = a.renewLease(held) })
	}
	renewals.Wait()
}

func (a *Admitter) renewLease(held *lease) (any, error) {
	return a.guard.run(context.Background(), a.scripts.renew, []string{namesOf(held.seller).entry(held.request.Digest)},
		a.locks.Lease.Milliseconds(), held.request.Fingerprint[:], held.token)
}

func (l *leases) due(before time.Time) (due []*lease) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for held := range l.held {
		if held.began.Before(before) {
			due = append(due, held)
		}
	}
	return due
}

// oldest returns the age of the key that has been held longest; 0 if there is none.
func (l *leases) oldest(now time.Time) (age time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for held := range l.held {
		age = max(age, now.Sub(held.began))
	}
	return age
}

// Observe reports the age of the oldest key in progress at every scrape.
func (a *Admitter) Observe(tel *telemetry.Telemetry) error {
	return tel.Observe(func(emit telemetry.Emit) {
		emit(telemetry.IdempotencyOldest, a.leases.oldest(time.Now()).Seconds())
	}, telemetry.IdempotencyOldest)
}
