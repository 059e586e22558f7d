package idempotency

import (
	"cmp"
	_ "embed" // the scripts
	"encoding/binary"
	"fmt"
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

// Config are the terms of the gateway's part of idempotency.
type Config struct {
	// Lock is how long a request may hold its key; see LockFor.
	Lock time.Duration
	// LargestKept is the largest answer, in bytes, that is kept in Redis for fast replays; 0 means 4 KB, which most answers
	// to process calls are below. Of larger ones the fingerprint is kept, and the service replays them.
	LargestKept int
	// GoneKept is how long Redis remembers that an answer has expired; 0 means an hour. The service remembers forever.
	GoneKept time.Duration
}

const (
	largestKept = 4 << 10
	goneKept    = time.Hour
	// lockMargin is how much longer than every operation a lock must last at least: what the gateway itself takes around it.
	lockMargin = 2 * time.Second
)

// WithDefaults returns the terms with every zero value replaced, as they are when operations take as long as they may.
func (c Config) WithDefaults() Config {
	return Config{
		Lock:        cmp.Or(c.Lock, LockFor(operation.LongestTimeout())),
		LargestKept: cmp.Or(c.LargestKept, largestKept), GoneKept: cmp.Or(c.GoneKept, goneKept),
	}
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

// Outcome is what a request met when it began its key.
type Outcome string

// The outcomes.
const (
	// New: the request holds the key and goes on.
	New Outcome = "new"
	// Busy: another request holds it, whatever its content.
	Busy Outcome = "busy"
	// Reused: the key belongs to other content, which has been decided.
	Reused Outcome = "reused"
	// Replay: the first answer is at hand.
	Replay Outcome = "replay"
	// Recorded: there is a first answer, too large for Redis. The request goes on and its service replays it.
	Recorded Outcome = "recorded"
	// Expired: there was an answer, and it has expired.
	Expired Outcome = "gone"
)

// Begun is the outcome with what belongs to it.
type Begun struct {
	Outcome Outcome
	// LockLeft is how long the holder of a busy key may still hold it.
	LockLeft time.Duration
	// Answer is that of a replay.
	Answer inbox.Answer
}

// Met is the phase of the entry that a request which goes on has met: "B", which is its own, or "R".
func (o Outcome) Met() string {
	if o == Recorded {
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
	case Replay:
		answer, err := unpackAnswer(detail)
		begun.Answer = answer
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

// Fault reports whether the answer is a failure of ours: it is neither kept nor a repetition of anything.
func (e Ending) Fault() bool { return e.Answer.Status >= fault }

// fault is the status from which on an answer is a failure of ours and nobody's first answer.
const fault = http.StatusInternalServerError

// endings are what Redis keeps of an ending, by phase of the entry: "D" with the answer, "R" without one that is too large for
// Redis, "G" that it has expired, or nothing, "F". The first row that applies counts.
var endings = []struct {
	applies func(Ending, Config) bool
	phase   string
	life    func(Ending, Config) time.Duration
}{
	// A fault decides nothing, whatever its service says of it. begin.lua does not replay one either.
	{func(e Ending, _ Config) bool { return e.Fault() }, "F", never},
	{func(e Ending, _ Config) bool { return e.Outcome.Gone }, "G", func(_ Ending, c Config) time.Duration { return c.GoneKept }},
	{func(e Ending, _ Config) bool { return !e.Outcome.Stored }, "F", never},
	// An answer whose time is up is left to the service.
	{func(e Ending, _ Config) bool { return e.Outcome.Left <= 0 }, "F", never},
	{func(e Ending, c Config) bool { return len(e.Answer.Body) > c.LargestKept }, "R", left},
	{func(Ending, Config) bool { return true }, "D", left},
}

// never is the life of no entry.
func never(Ending, Config) time.Duration { return 0 }

// left is how long the service still replays the answer.
func left(e Ending, _ Config) time.Duration { return e.Outcome.Left }

// Entry is what Redis shall keep of the ending, for how long; see endings.
func (e Ending) Entry(config Config) (phase string, payload []byte, life time.Duration) {
	for _, row := range endings {
		if !row.applies(e, config) {
			continue
		}
		if row.phase == "D" {
			payload = packAnswer(e.Answer)
		}
		return row.phase, payload, row.life(e, config)
	}
	return "F", nil, 0
}

// packAnswer is the status in two bytes and the body.
func packAnswer(answer inbox.Answer) []byte {
	payload := make([]byte, 0, 2+len(answer.Body))
	return append(binary.BigEndian.AppendUint16(payload, uint16(answer.Status)), answer.Body...)
}

func unpackAnswer(payload string) (inbox.Answer, error) {
	if len(payload) < 2 {
		return inbox.Answer{}, fmt.Errorf("idempotency: answer of %d bytes in Redis", len(payload))
	}
	status := binary.BigEndian.Uint16([]byte(payload[:2]))
	return inbox.Answer{Status: int(status), Body: []byte(payload[2:]), Stored: true}, nil
}
