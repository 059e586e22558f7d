package inbox

import (
	"strconv"
	"strings"
	"time"
)

// Outcome is the outcome of a key, which the owning service reports to the gateway in the response's Header.
type Outcome struct {
	// Stored says that the answer may be replayed for Left.
	Stored bool
	Left   time.Duration
	// Replayed says that the answer is an earlier one.
	Replayed bool
	// Expired says that the answer has expired.
	Expired bool
}

// String returns the header value: "stored 86400", "replayed 17", "expired" or, when nothing was stored, "".
func (o Outcome) String() string {
	seconds := strconv.Itoa(int(o.Left / time.Second))
	switch {
	case o.Expired:
		return "expired"
	case o.Replayed:
		return "replayed " + seconds
	case o.Stored:
		return "stored " + seconds
	default:
		return ""
	}
}

// ParseOutcome parses the result of String. Anything else is the zero Outcome: nothing was stored, and the key is free.
func ParseOutcome(text string) Outcome {
	word, number, _ := strings.Cut(text, " ")
	seconds, err := strconv.Atoi(number)
	left := time.Duration(seconds) * time.Second
	switch {
	case word == "expired":
		return Outcome{Expired: true}
	case err != nil || seconds < 0:
		return Outcome{}
	case word == "replayed":
		return Outcome{Stored: true, Replayed: true, Left: left}
	case word == "stored":
		return Outcome{Stored: true, Left: left}
	default:
		return Outcome{}
	}
}
