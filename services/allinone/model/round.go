package model

// Outcome is a state to which a round may have led.
type Outcome struct {
	Model   *Model
	Replies []Reply
}

// Orders returns all orders in which n operations can have happened: the permutations of 0 to n-1.
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

// Play applies the operations of a round in an order; the first operation of the round has the number first. slow says that
// operations with several steps take their time: claims that are paid complete after all operations. Replies are in the
// order of the round.
func (m *Model) Play(round []Op, order []int, first int, slow bool) Outcome {
	outcome := Outcome{Model: m.Clone(), Replies: make([]Reply, len(round))}
	next := outcome.Model
	next.slow, next.crowded, next.ending = slow, len(round) > 1, map[int]bool{}
	for n, i := range order {
		outcome.Replies[i] = next.Apply(round[i], first+i)
		if !slow {
			next.followUp(first + i)
		}
		outcome.retell(order[:n])
	}
	next.slow = false
	next.followUp(first)
	for _, no := range next.paying {
		next.complete(next.Claims[no], first)
		next.changed(next.Claims[no])
	}
	if len(next.paying) > 0 {
		next.paying = nil
		outcome.retell(order)
	}
	return outcome
}

// retell adds to earlier replies the data that they would show now.
func (o *Outcome) retell(earlier []int) {
	for _, i := range earlier {
		if reply := &o.Replies[i]; reply.tell != nil && !reply.Replay {
			reply.Data = append(reply.Data, reply.tell(o.Model)...)
		}
	}
}
