package idempotency

import (
	"cmp"
	_ "embed" // the scripts
	"net/http"
	"strconv"
	"time"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
)

// BeginScript is the function that begins a key. Scripts that use it are prefixed with it.
//
//go:embed begin.lua
var BeginScript string

// FinishScript finishes a begun key. It must be prefixed with each_call of package admission.
//
//go:embed finish.lua
var FinishScript string

// Config configures idempotency in the gateway.
type Config struct {
	// Lock is how long a request may hold its key; see LockFor.
	Lock time.Duration
	// GoneKept is how long Redis keeps the owner of a key after the answer has expired; 0 means an hour. The service keeps it
	// forever.
	GoneKept time.Duration
}

const (
	goneKept = time.Hour
	// lockMargin is the minimum by which a lock outlasts every operation: the gateway's own processing time.
	lockMargin = 2 * time.Second
)

// WithDefaults returns the configuration with defaults for zero values, for operations with the longest allowed timeout.
func (c Config) WithDefaults() Config {
	return Config{Lock: cmp.Or(c.Lock, LockFor(operation.LongestTimeout())), GoneKept: cmp.Or(c.GoneKept, goneKept)}
}

// LockFor returns the life of a lock for the longest operation timeout: a third more. A lock that expired while a service is still
// working would admit a second request: nothing would happen twice, but it would wait in the database instead of being answered
// as busy.
func LockFor(longest time.Duration) time.Duration { return max(longest+longest/3, longest+lockMargin) }

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
	// Answered: its service has the first answer. The request proceeds without a lock, and its service replays that answer.
	Answered Outcome = "answered"
	// Expired: there was an answer, and it has expired.
	Expired Outcome = "gone"
)

// Begun is the outcome with its details.
type Begun struct {
	Outcome Outcome
	// LockLeft is the remaining life of the lock of a busy key.
	LockLeft time.Duration
}

// Met returns the phase of the entry that an admitted request met: "B", its own, or "R".
func (o Outcome) Met() string {
	if o == Answered {
		return "R"
	}
	return "B"
}

// ReadBegun parses the result of begin.lua.
func ReadBegun(outcome, detail string) (Begun, error) {
	begun := Begun{Outcome: Outcome(outcome)}
	switch begun.Outcome {
	case Busy:
		milliseconds, err := strconv.Atoi(detail)
		begun.LockLeft = time.Duration(milliseconds) * time.Millisecond
		return begun, err
	default:
		return begun, nil
	}
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
func (e Ending) Expired() bool { return e.Outcome.Gone && !e.Fault() }

// Fault reports whether the answer is a server failure: it is neither stored nor a replay.
func (e Ending) Fault() bool { return e.Answer.Status >= fault }

// fault is the lowest status of a server failure, which is never stored as a first answer.
const fault = http.StatusInternalServerError

// nothing is the phase of an ending that leaves no entry in Redis.
const nothing = "F"

// endings map an ending to the entry in Redis, by phase: "R" that its service has the answer, "G" that it has expired, or
// nothing. The first match counts.
var endings = []struct {
	applies func(Ending) bool
	phase   string
	life    func(Ending, Config) time.Duration
}{
	// A fault decides nothing, whatever its service states.
	{Ending.Fault, nothing, never},
	{func(e Ending) bool { return e.Outcome.Gone }, "G", func(_ Ending, c Config) time.Duration { return c.GoneKept }},
	{func(e Ending) bool { return !e.Outcome.Stored }, nothing, never},
	// An expired answer is left to the service.
	{func(e Ending) bool { return e.Outcome.Left <= 0 }, nothing, never},
	// For the replay period plus the expired period: a key does not become free in between.
	{func(Ending) bool { return true }, "R", func(e Ending, c Config) time.Duration { return e.Outcome.Left + c.GoneKept }},
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
