package model

// Promises are the states of claims that promise something about the order, which therefore must hold before the claim
// shows the state.
var Promises = set(Reshipping, Completed, Rejected, Withdrawn, Expired)

// Breaks describes how a claimed line breaks its claim's promise, or returns "" when it does not. It is given the line's
// state, whether a claim holds the line, and the number of exchange lines of the claim. The line must not have been held by
// another claim.
func Breaks(kind, claim, line string, held bool, standIn int) string {
	switch {
	case withoutEffect[claim] && held:
		return "is still held"
	case claim == Completed && (held || line != endsIn[kind]):
		return "is " + line
	case claim == Reshipping && standIn == 0:
		return "has no line that stands in for it"
	default:
		return ""
	}
}
