package idempotency

import (
	"cmp"
	_ "embed" // the scripts
	"net/http"
	"time"

	"sellerapi.dev/pkg/inbox"
)

// BeginScript is the function that begins a key. Scripts that use it are prefixed with it.
//
//go:embed begin.lua
var BeginScript string

// FinishScript finishes a begun key. It must be prefixed with each_call of package admission.
//
//go:embed finish.lua
var FinishScript string

// RenewScript renews the lease of a begun key. It must be prefixed with each_call of package admission.
//
//go:embed renew.lua
var RenewScript string

// Config configures idempotency in the gateway.
type Config struct {
	// Lease is how long a key stays with a request whose gateway does not renew it any more; 0 means leaseLife.
	Lease time.Duration
	// ExpiredKept is how long Redis keeps the owner of a key after the answer has expired; 0 means an hour. The service keeps it
	// forever.
	ExpiredKept time.Duration
}

const (
	expiredKept = time.Hour
	// leaseLife leaves a second of the five within which the key of a gateway that died is to be free.
	leaseLife = 4 * time.Second
	// renewals is how many renewals there are in the life of a lease: all but one may be lost.
	renewals = 4
	// maxRetryAfter is the longest Retry-After of a busy key. A request of 30 seconds costs a client that follows it eight calls,
	// and a key whose gateway dies is asked for again soon afterwards.
	maxRetryAfter = 6 * time.Second
)

// WithDefaults returns the configuration with defaults for zero values.
func (c Config) WithDefaults() Config {
	return Config{Lease: cmp.Or(c.Lease, leaseLife), ExpiredKept: cmp.Or(c.ExpiredKept, expiredKept)}
}

// RenewEvery returns the time after which a lease is renewed, and again and again. Most requests have ended by then.
func (c Config) RenewEvery() time.Duration { return c.Lease / renewals }

// Request is the content of a request with an Idempotency-Key.
type Request struct {
	Digest      inbox.Digest
	Fingerprint inbox.Fingerprint
}

// Outcome is the result of beginning an idempotency key.
type Outcome string

// The outcomes.
const (
	// New: the request holds the key and proceeds.
	New Outcome = "new"
	// Busy: another request holds it, whatever its content.
	Busy Outcome = "busy"
	// Reused: the key belongs to other content that was already processed.
	Reused Outcome = "reused"
	// Answered: its service has the first answer. The request proceeds without a lease, and its service replays that answer.
	Answered Outcome = "answered"
	// Expired: there was an answer, and it has expired.
	Expired Outcome = "expired"
)

// Begun is the outcome with its details.
type Begun struct {
	Outcome Outcome
	// Age is for how long a busy key has been in use, and LeaseLeft the time after which it is free unless its lease is renewed.
	Age, LeaseLeft time.Duration
}

// RetryAfter returns how long the client of a busy key should wait: a second at first, because most requests end within it.
// Then the lease is waited for, so that a client whose gateway has died gets through with its next call, and later the age of
// the key, so that one whose request is slow keeps most of its calls.
func (b Begun) RetryAfter() time.Duration {
	if b.Age < time.Second {
		return time.Second
	}
	return min(max(b.Age, b.LeaseLeft), maxRetryAfter)
}

// Met returns the phase of the entry that an admitted request met: "B", its own, or "R".
func (o Outcome) Met() string {
	if o == Answered {
		return "R"
	}
	return "B"
}

// Ending is the outcome of a request that held its key.
type Ending struct {
	// Outcome is the owning service's statement about the key. It is ignored for a fault.
	Outcome inbox.Outcome
	// Answer is the answer to the client.
	Answer inbox.Answer
}

// Stored reports whether the owning service has stored the answer.
func (e Ending) Stored() bool { return e.Outcome.Stored && !e.Fault() }

// Expired reports whether the owning service said that its answer has expired.
func (e Ending) Expired() bool { return e.Outcome.Expired && !e.Fault() }

// Fault reports whether the answer is a server failure: it is neither stored nor a replay.
func (e Ending) Fault() bool { return e.Answer.Status >= fault }

// fault is the lowest status of a server failure, which is never stored as a first answer.
const fault = http.StatusInternalServerError

// nothing is the phase of an ending that leaves no entry in Redis.
const nothing = "F"

// endings map an ending to the entry in Redis, by phase: "R" that its service has the answer, "E" that it has expired, or
// nothing. The first match counts.
var endings = []struct {
	applies func(Ending) bool
	phase   string
	life    func(Ending, Config) time.Duration
}{
	// A fault decides nothing, whatever its service states.
	{Ending.Fault, nothing, never},
	{func(e Ending) bool { return e.Outcome.Expired }, "E", func(_ Ending, c Config) time.Duration { return c.ExpiredKept }},
	{func(e Ending) bool { return !e.Outcome.Stored }, nothing, never},
	// An expired answer is left to the service.
	{func(e Ending) bool { return e.Outcome.Left <= 0 }, nothing, never},
	// For the replay period plus the expired period: a key does not become free in between.
	{func(Ending) bool { return true }, "R", func(e Ending, c Config) time.Duration { return e.Outcome.Left + c.ExpiredKept }},
}

// never is the life of a missing entry.
func never(Ending, Config) time.Duration { return 0 }

// Entry returns the phase of the entry in Redis after the ending, and its life; see endings.
func (e Ending) Entry(config Config) (phase string, life time.Duration) {
	for _, row := range endings {
		if row.applies(e) {
			return row.phase, row.life(e, config)
		}
	}
	return nothing, 0
}
