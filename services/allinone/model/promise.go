package model

// Promises are the states of claims that say something of the order, which therefore is like that before the claim shows it.
var Promises = set(Reshipping, Completed, Rejected, Withdrawn, Expired)

// Breaks says how a claimed line is not as its claim promises: the line's state, whether a claim holds it, and how many lines stand in
// for those of the claim. Empty when it is. Nobody but the claim may have held the line before.
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
