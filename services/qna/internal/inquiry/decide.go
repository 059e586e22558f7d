package inquiry

import (
	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/timestamp"
)

// Decision is the outcome of an accepted answer.
type Decision string

// The decisions.
const (
	// Register stores the answer; the inquiry becomes answered.
	Register Decision = "register"
	// Converge changes nothing: the inquiry already has this answer.
	Converge Decision = "converge"
)

// Decide returns what an answer with this content would do to the inquiry. QNA_ALREADY_ANSWERED: the inquiry has another
// answer, which cannot be changed.
func (s State) Decide(content string) (Decision, error) {
	switch {
	case States.Can(s.Status, TriggerAnswer):
		return Register, nil
	case s.Answer != nil && SameContent(s.Answer.Content, content):
		return Converge, nil
	default:
		return "", s.alreadyAnswered()
	}
}

// alreadyAnswered returns the error with the time of the current answer. The answer itself is in the list; error bodies contain
// no texts.
func (s State) alreadyAnswered() error {
	data := map[string]any{"status": s.Status}
	if s.Answer != nil {
		data["answered_at"] = timestamp.Time(s.Answer.AnsweredAt)
	}
	return apierr.QnaAlreadyAnswered.With(data)
}

// Settle makes the final decision at the moment of the write: seen is the inquiry on which the first decision was made,
// now is the same inquiry locked against concurrent changes. QNA_ANSWER_UNRESOLVED: an operator cancelled an answer
// in between. Otherwise it decides as Decide does.
func Settle(seen, now State, content string) (Decision, error) {
	if now.Cancellations != seen.Cancellations {
		return "", apierr.QnaAnswerUnresolved
	}
	return now.Decide(content)
}

// Target returns the state after the trigger; "" if there is no such transition.
func (s State) Target(trigger Trigger) Status {
	for _, rule := range States.Find(s.Status, trigger) {
		return rule.To
	}
	return ""
}
