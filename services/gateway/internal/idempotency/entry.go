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

// BeginScript is the function that begins a key, to be put in front of a script that uses it.
//
//go:embed begin.lua
var BeginScript string

// FinishScript ends what begin started; it needs each_call of package admission in front of it.
//
//go:embed finish.lua
var FinishScript string

// Config configures idempotency in the gateway.
type Config struct {
	// Lock is how long a request may hold its key; see LockFor.
	Lock time.Duration
	// GoneKept is how long Redis remembers whose key it is after the answer has expired; 0 means an hour. The service
	// remembers forever.
	GoneKept time.Duration
}

const (
	goneKept = time.Hour
	// lockMargin is how much longer than every operation a lock must last at least: what the gateway itself takes around it.
	lockMargin = 2 * time.Second
)

// WithDefaults returns the terms with every zero value replaced, as they are when operations take as long as they may.
func (c Config) WithDefaults() Config {
	return Config{Lock: cmp.Or(c.Lock, LockFor(operation.LongestTimeout())), GoneKept: cmp.Or(c.GoneKept, goneKept)}
}

// LockFor is the life of a lock where operations take so long at most: a third more. One that ended while a service still
// works would let a second request in: nothing would happen twice, but it would wait in the database instead of being told
// that it is busy.
func LockFor(longest time.Duration) time.Duration { return max(longest+longest/3, longest+lockMargin) }

// Request is what a client's Idempotency-Key stands for.
type Request struct {
	Digest      inbox.Digest
	Fingerprint inbox.Fingerprint
}

// Outcome is the result of beginning an idempotency key.
type Outcome string

// The outcomes.
const (
	// New: the request holds the key and goes on.
	New Outcome = "new"
	// Busy: another request holds it, whatever its content.
	Busy Outcome = "busy"
	// Reused: the key belongs to other content, which has been decided.
	Reused Outcome = "reused"
	// Answered: its service has the first answer. The request goes on, holds nothing, and its service replays that answer.
	Answered Outcome = "answered"
	// Expired: there was an answer, and it has expired.
	Expired Outcome = "gone"
)

// Begun is the outcome with what belongs to it.
type Begun struct {
	Outcome Outcome
	// LockLeft is how long the holder of a busy key may still hold it.
	LockLeft time.Duration
}

// Met is the phase of the entry that a request which goes on has met: "B", which is its own, or "R".
func (o Outcome) Met() string {
	if o == Answered {
		return "R"
	}
	return "B"
}

// ReadBegun reads what begin.lua returned.
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

// Ending is what became of a request that held its key.
type Ending struct {
	// Outcome is the owning service's word on the key. It counts for nothing beside a fault.
	Outcome inbox.Outcome
	// Answer is what the client got.
	Answer inbox.Answer
}

// Stored reports whether the owning service has stored the answer.
func (e Ending) Stored() bool { return e.Outcome.Stored && !e.Fault() }

// Expired reports whether the owning service said that its answer has expired.
func (e Ending) Expired() bool { return e.Outcome.Gone && !e.Fault() }

// Fault reports whether the answer is a failure of ours: it is neither kept nor a repetition of anything.
func (e Ending) Fault() bool { return e.Answer.Status >= fault }

// fault is the lowest status of a server failure, which is never stored as a first answer.
const fault = http.StatusInternalServerError

// nothing is the phase of an ending of which Redis keeps nothing.
const nothing = "F"

// endings are what Redis keeps of an ending, by phase of the entry: "R" that its service has the answer, "G" that it has
// expired, or nothing. The first row that applies counts.
var endings = []struct {
	applies func(Ending) bool
	phase   string
	life    func(Ending, Config) time.Duration
}{
	// A fault decides nothing, whatever its service says of it.
	{Ending.Fault, nothing, never},
	{func(e Ending) bool { return e.Outcome.Gone }, "G", func(_ Ending, c Config) time.Duration { return c.GoneKept }},
	{func(e Ending) bool { return !e.Outcome.Stored }, nothing, never},
	// An answer whose time is up is left to the service.
	{func(e Ending) bool { return e.Outcome.Left <= 0 }, nothing, never},
	// While the answer is replayed, and as long after as that it has expired: a key is not free again in between.
	{func(Ending) bool { return true }, "R", func(e Ending, c Config) time.Duration { return e.Outcome.Left + c.GoneKept }},
}

// never is the life of no entry.
func never(Ending, Config) time.Duration { return 0 }

// Entry is the phase of what Redis shall keep of the ending, for how long; see endings.
func (e Ending) Entry(config Config) (phase string, life time.Duration) {
	for _, row := range endings {
		if row.applies(e) {
			return row.phase, row.life(e, config)
		}
	}
	return nothing, 0
}
