package model

// Outcome is a state that a round may have led to.
type Outcome struct {
	Model   *Model
	Replies []Reply
}

// Orders are all orders in which so many operations can have happened: the permutations of 0 to n-1.
func Orders(n int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var all [][]int
	for _, shorter := range Orders(n - 1) {
		for at := range n {
			longer := append(append(append([]int{}, shorter[:at]...), n-1), shorter[at:]...)
			all = append(all, longer)
		}
	}
	return all
}

// Play does the operations of a round in an order. The first of them has the number first. Replies are by operation.
func (m *Model) Play(round []Op, order []int, first int) Outcome {
	outcome := Outcome{Model: m.Clone(), Replies: make([]Reply, len(round))}
	for _, i := range order {
		outcome.Replies[i] = outcome.Model.Apply(round[i], first+i)
	}
	return outcome
}
