package ownertest

import (
	"net/http"

	"github.com/anishathalye/porcupine"
)

// Call is one call under an idempotency key, in a history.
type Call struct {
	Content string
	// Alone says that all calls of the history have the same content.
	Alone bool
}

// The outcomes of a call besides an answer, which stands for itself.
const (
	Busy    = "busy"
	Reused  = "reused"
	Invalid = "invalid"
	Lost    = "lost" // no answer, or one that does not tell what happened
)

// Seen is the outcome that an answer stands for.
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

// state is what an idempotency key is, seen by its clients: which content has been answered, and how.
type state struct{ content, answer string }

// unseen is an answer that nobody has seen.
const unseen = "?"

// Model is what clients may see of one key, whatever happens in between: the first content that is answered keeps the
// key, and its answer never changes. Calls whose answer was lost may have had their effect or not; a history gives them
// no end.
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
