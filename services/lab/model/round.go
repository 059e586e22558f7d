package model

import "maps"

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

// Play applies the operations of a round in an order, which names each by its index and may leave some out; the first operation
// of the round has the number first. slow says that operations with several steps take their time: claims that are paid
// complete after all operations. Replies are in the order of the round; those of operations that are left out are empty.
func (m *Model) Play(round []Op, order []int, first int, slow bool) Outcome {
	outcome := Outcome{Model: m.Clone(), Replies: make([]Reply, len(round))}
	next := outcome.Model
	next.slow, next.crowded, next.ending = slow, len(round) > 1, map[int]bool{}
	next.registered, next.closed = map[int]bool{}, map[ItemID]string{}
	for n, i := range order {
		passing := next.passing(round[i])
		outcome.Replies[i] = next.Apply(round[i], first+i)
		if !slow {
			next.followUp(first + i)
		}
		if passing != nil && next.Claims[round[i].Claim].Status == Converted {
			outcome.retell(passing, order[:n])
		}
		outcome.retell(next, order[:n])
	}
	next.slow = false
	next.cancelClosed()
	next.followUp(first)
	for _, no := range next.paying {
		next.complete(next.Claims[no], first)
		next.changed(next.Claims[no])
	}
	if len(next.paying) > 0 {
		next.paying = nil
		outcome.retell(next, order)
	}
	return outcome
}

// passing returns what is shown while an operation takes an exchange out of reshipping and its line is not canceled yet; nil if
// it does not.
func (m *Model) passing(op Op) *Model {
	if c := m.Claims[op.Claim]; op.Kind != Convert || c == nil || c.Status != Reshipping {
		return nil
	}
	passing := m.Clone()
	passing.Claims[op.Claim].Status = Inspecting
	return passing
}

func (o *Outcome) retell(m *Model, earlier []int) {
	for _, i := range earlier {
		if reply := &o.Replies[i]; reply.tell != nil && !reply.Replay {
			reply.Data = append(reply.Data, reply.tell(m)...)
		}
	}
}

// Glimpse adds to the replies about the claim of a reshipment what they show between its registration and its refusal: its
// parcel.
func (o *Outcome) Glimpse(reshipment Op) {
	values, wrong := reshipment.values()
	if !wrong.ok() || values.Parcel == nil {
		return
	}
	for i := range o.Replies {
		for _, data := range o.Replies[i].Data {
			if data["claim_no"] == ClaimNo(reshipment.Claim) {
				data = maps.Clone(data)
				data["reship_carrier_name"], data["reship_tracking_no"] = values.Parcel.Carrier, values.Parcel.TrackingNo
				o.Replies[i].Data = append(o.Replies[i].Data, data)
			}
		}
	}
}
