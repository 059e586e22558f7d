package ownertest

import (
	"net/http"

	"github.com/anishathalye/porcupine"
)

// Call is one call with an idempotency key in a history.
type Call struct {
	Content string
	// Alone says that all calls of the history have the same content.
	Alone bool
}

// The outcomes of a call other than an answer, which is its own outcome.
const (
	Busy    = "busy"
	Reused  = "reused"
	Invalid = "invalid"
	Lost    = "lost" // no answer, or one that leaves the outcome unknown
)

// Seen returns the outcome for an answer.
func Seen(status int, header http.Header, body []byte, err error) string {
	switch {
	case err != nil || status >= http.StatusInternalServerError:
		return Lost
	case status == http.StatusOK:
		return string(body)
	case status == http.StatusUnprocessableEntity:
		return Invalid
	case header.Get("Retry-After") != "":
		return Busy
	default:
		return Reused
	}
}

// state is the state of an idempotency key as seen by its clients: the content that was answered, and the answer.
type state struct{ content, answer string }

// unseen is an answer that no client has received.
const unseen = "?"

// Model describes what clients may see of one key, whatever happens in between: the first content that is answered keeps the
// key, and its answer never changes. Calls without an answer may or may not have taken effect; they have no end in a
// history.
var Model = (&porcupine.NondeterministicModel{
	Init: func() []any { return []any{state{}} },
	Step: func(from, input, output any) []any {
		states := step(from.(state), input.(Call), output.(string))
		next := make([]any, len(states))
		for i, s := range states {
			next[i] = s
		}
		return next
	},
	Equal: func(a, b any) bool { return a == b },
}).ToModel()

func step(s state, call Call, outcome string) []state {
	free, ours := s.answer == "", s.content == call.Content
	switch {
	case outcome == Lost && free:
		return []state{s, {call.Content, unseen}}
	case outcome == Lost, outcome == Busy:
		return []state{s}
	case outcome == Reused && (call.Alone || !free && ours), outcome == Invalid && !free:
		return nil
	case outcome == Reused, outcome == Invalid:
		return []state{s}
	case free, ours && (s.answer == unseen || s.answer == outcome):
		return []state{{call.Content, outcome}}
	default:
		return nil
	}
}
