package order

import (
	"slices"

	"sellerapi.dev/pkg/machine"
)

// Trigger is the event that causes a transition of an item.
type Trigger string

// The triggers.
const (
	Pay           Trigger = "pay"
	FailPayment   Trigger = "fail-payment"
	ExpirePayment Trigger = "expire-payment"
	Prepare       Trigger = "preparation"
	Ship          Trigger = "shipment"
	Deliver       Trigger = "delivery"
	Confirm       Trigger = "confirm"
	Cancel        Trigger = "cancel"
	Return        Trigger = "return"
	Exchange      Trigger = "exchange"
	Correct       Trigger = "correct"
)

const (
	byPayment  = "payment"
	byAPI      = "api"
	byCustomer = "customer"
	byOperator = "operator"
	byService  = "service"
	byClaim    = "claim"
)

// arrow is one transition, a row of the table arrows.
type arrow = machine.Rule[State, Trigger]

var arrows = slices.Concat(
	[]arrow{
		{From: Pending, Trigger: Pay, Actor: byPayment, To: Paid, Effect: "the order becomes visible"},
		{From: Pending, Trigger: FailPayment, Actor: byPayment, To: Failed},
		{From: Pending, Trigger: ExpirePayment, Actor: byPayment, To: Expired},

		{From: Paid, Trigger: Prepare, Actor: byAPI, Condition: unclaimed, To: Preparing},
		{
			From: Paid, Trigger: Ship, Actor: byAPI, Condition: unclaimed, To: Shipping,
			Effect: "the parcel is stored; the item is never `preparing`",
		},
		{From: Preparing, Trigger: Ship, Actor: byAPI, Condition: unclaimed, To: Shipping, Effect: "the parcel is stored"},
		{
			From: Shipping, Trigger: Deliver, Actor: byAPI, Condition: unclaimed, To: Delivered,
			Effect: "the customer may request a return or an exchange",
		},

		{From: Delivered, Trigger: Confirm, Actor: byCustomer, Condition: unclaimed, To: Confirmed},
		{From: Delivered, Trigger: Confirm, Actor: byOperator, Condition: unclaimed, To: Confirmed},
		{From: Delivered, Trigger: Confirm, Actor: byService, Condition: "`auto_confirm_at` has come, " + unclaimed, To: Confirmed},

		{From: Paid, Trigger: Cancel, Actor: byClaim, To: Canceled, Effect: settled},
		{From: Preparing, Trigger: Cancel, Actor: byClaim, To: Canceled, Effect: settled},
		{From: Delivered, Trigger: Return, Actor: byClaim, To: Returned, Effect: settled},
		{
			From: Delivered, Trigger: Exchange, Actor: byClaim, To: Exchanged,
			Effect: settled + "; replaced by an item with `is_exchange`",
		},
	},
	corrections(Paid),
	corrections(Preparing),
	corrections(Shipping),
	corrections(Delivered),
)

const (
	unclaimed = "no active claim"
	settled   = "a part of the quantity is split off first"
)

// corrections returns an operator's transitions out of a state, in any direction between non-terminal states. A correction to
// delivered of an item that was not shipped passes through shipping.
func corrections(from State) []arrow {
	effects := map[State]string{
		Paid: "the shipment data are cleared", Preparing: "the shipment data are cleared",
		Shipping:  "the operator provides the parcel unless there is one",
		Delivered: "the operator provides the parcel unless there is one",
	}
	var rows []arrow
	for _, to := range []State{Paid, Preparing, Shipping, Delivered} {
		if to == from {
			continue
		}
		row := arrow{
			From: from, Trigger: Correct, Actor: byOperator, Condition: "the operator sets `" + string(to) + "`",
			To: to, Effect: effects[to],
		}
		if to == Delivered && from.rank() < Shipping.rank() {
			row.Via = []State{Shipping}
		}
		rows = append(rows, row)
	}
	return rows
}

// Items is the state machine of items.
var Items = machine.New("Order items", machineStates(), arrows)

// Follows reports whether there is a direct transition from one state to the other.
func Follows(from, to State) bool { return slices.Contains(next(from), to) }

// next returns the states that are directly reachable from the given one, each once, in the order of the table.
func next(from State) []State {
	var found []State
	for _, rule := range arrows {
		if rule.From == from && len(rule.Via) == 0 && !slices.Contains(found, rule.To) {
			found = append(found, rule.To)
		}
	}
	return found
}
