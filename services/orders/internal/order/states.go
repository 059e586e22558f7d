package order

import (
	"slices"

	"sellerapi.dev/pkg/machine"
)

// State is the state of one item: item_status.
type State string

// The states of an item.
const (
	Pending   State = "pending"
	Paid      State = "paid"
	Preparing State = "preparing"
	Shipping  State = "shipping"
	Delivered State = "delivered"
	Confirmed State = "confirmed"
	Canceled  State = "canceled"
	Returned  State = "returned"
	Exchanged State = "exchanged"
	Failed    State = "failed"
	Expired   State = "expired"
)

type stateRow struct {
	name    State
	meaning string
	// visible states are shown to sellers; an order with an item in another state has not been paid.
	visible bool
	// terminal states are never left.
	terminal bool
	// rank orders the states from payment to confirmation; 0 for all other states.
	rank int
}

// states is the table of states. The index of a row is its bit in a [Set].
var states = [...]stateRow{
	{name: Pending, meaning: "payment in progress"},
	{name: Paid, meaning: "paid, waiting for preparation", visible: true, rank: 1},
	{name: Preparing, meaning: "in preparation", visible: true, rank: 2},
	{name: Shipping, meaning: "shipped, tracking registered", visible: true, rank: 3},
	{name: Delivered, meaning: "delivered", visible: true, rank: 4},
	{name: Confirmed, meaning: "purchase confirmed", visible: true, terminal: true, rank: 5},
	{name: Canceled, meaning: "cancel completed", visible: true, terminal: true},
	{name: Returned, meaning: "return completed", visible: true, terminal: true},
	{name: Exchanged, meaning: "exchange completed", visible: true, terminal: true},
	{name: Failed, meaning: "payment failed", terminal: true},
	{name: Expired, meaning: "payment expired", terminal: true},
}

func (s State) row() (stateRow, bool) {
	for _, row := range states {
		if row.name == s {
			return row, true
		}
	}
	return stateRow{}, false
}

// Known reports whether the table has the state.
func (s State) Known() bool { _, ok := s.row(); return ok }

// Visible reports whether sellers see items in the state.
func (s State) Visible() bool { row, _ := s.row(); return row.visible }

// Terminal reports whether the state is never left.
func (s State) Terminal() bool { row, _ := s.row(); return row.terminal }

// rank returns the state's rank, 0 for none.
func (s State) rank() int { row, _ := s.row(); return row.rank }

// States returns every state in the order of the table.
func States() []State {
	names := make([]State, 0, len(states))
	for _, row := range states {
		names = append(names, row.name)
	}
	return names
}

// VisibleStates returns the states that sellers see, in the order of the table.
func VisibleStates() []State {
	return slices.DeleteFunc(States(), func(s State) bool { return !s.Visible() })
}

func machineStates() []machine.State[State] {
	rows := make([]machine.State[State], 0, len(states))
	for _, row := range states {
		rows = append(rows, machine.State[State]{Name: row.name, Meaning: row.meaning, Terminal: row.terminal})
	}
	return rows
}
