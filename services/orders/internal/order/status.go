package order

// Status is the status of a whole order: order_status.
type Status string

// The statuses of an order.
const (
	StatusPaid             Status = "paid"
	StatusPreparing        Status = "preparing"
	StatusShipping         Status = "shipping"
	StatusDelivered        Status = "delivered"
	StatusConfirmed        Status = "confirmed"
	StatusPartiallyClaimed Status = "partially_claimed"
	StatusCanceled         Status = "canceled"
)

var statuses = [...]Status{
	StatusPaid, StatusPreparing, StatusShipping, StatusDelivered, StatusConfirmed, StatusPartiallyClaimed, StatusCanceled,
}

// Statuses returns every status in the order of the API.
func Statuses() []Status { return append([]Status(nil), statuses[:]...) }

// Set is a set of item states, a bit for each row of the table.
type Set uint16

// SetOf returns the set of the given states. Unknown states are ignored.
func SetOf(members ...State) Set {
	var set Set
	for _, state := range members {
		set = set.With(state)
	}
	return set
}

// With returns the set with one more state. An unknown state is ignored.
func (s Set) With(state State) Set {
	for bit, row := range states {
		if row.name == state {
			return s | 1<<bit
		}
	}
	return s
}

// Has reports whether the state is in the set.
func (s Set) Has(state State) bool { return s&SetOf(state) != 0 }

// States returns the members in the order of the table.
func (s Set) States() []State {
	var members []State
	for bit, row := range states {
		if s&(1<<bit) != 0 {
			members = append(members, row.name)
		}
	}
	return members
}

// RollUp returns the status of an order whose items are in these states; the number of items per state does not matter. It
// returns false when no item is visible: the order is not paid and has no status.
//
//   - All visible items canceled, returned or exchanged: canceled.
//   - Otherwise, at least one canceled or returned: partially_claimed. An exchanged item is ignored, because its replacement
//     counts instead.
//   - Otherwise the least advanced state of the others.
//
// Claims in progress do not affect the status.
func RollUp(items Set) (Status, bool) {
	var visible, lost bool
	var least stateRow
	for bit, row := range states {
		if items&(1<<bit) == 0 || !row.visible {
			continue
		}
		visible = true
		lost = lost || row.name == Canceled || row.name == Returned
		if row.rank > 0 && (least.rank == 0 || row.rank < least.rank) {
			least = row
		}
	}
	switch {
	case !visible:
		return "", false
	case least.rank == 0:
		return StatusCanceled, true
	case lost:
		return StatusPartiallyClaimed, true
	default:
		// The states with a rank have the same names as the corresponding statuses.
		return Status(least.name), true
	}
}
