package inbox

import (
	"strconv"
	"strings"
	"time"
)

// Outcome is what the owning service tells the gateway about a key, in the response's Header.
type Outcome struct {
	// Stored says that the answer may be replayed for Left.
	Stored bool
	Left   time.Duration
	// Replayed says that the answer is an earlier one.
	Replayed bool
	// Gone says that there was an answer and that it has expired.
	Gone bool
}

// String is the form in the header: "stored 86400", "replayed 17", "gone" or, when nothing was kept, empty.
func (o Outcome) String() string {
	seconds := strconv.Itoa(int(o.Left / time.Second))
	switch {
	case o.Gone:
		return "gone"
	case o.Replayed:
		return "replayed " + seconds
	case o.Stored:
		return "stored " + seconds
	default:
		return ""
	}
}

// ParseOutcome reads what String wrote. Anything else is the zero Outcome: nothing was kept, and the key is free.
func ParseOutcome(text string) Outcome {
	word, number, _ := strings.Cut(text, " ")
	seconds, err := strconv.Atoi(number)
	left := time.Duration(seconds) * time.Second
	switch {
	case word == "gone":
		return Outcome{Gone: true}
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
