package claim

import (
	"slices"

	"sellerapi.dev/pkg/machine"
)

type (
	state = machine.State[Status]
	arrow = machine.Rule[Status, Trigger]
)

var states = []state{
	{Name: PaymentPending, Meaning: "the customer has to pay the amount by which fees and price difference exceed the refund"},
	{Name: Requested, Meaning: "waits for the seller's decision"},
	{Name: Approved, Meaning: "the goods are to be picked up"},
	{Name: Collecting, Meaning: "the goods are on their way to the seller"},
	{Name: Collected, Meaning: "the goods have arrived and wait for inspection"},
	{Name: Inspecting, Meaning: "an operator reviews the inspection"},
	{Name: Reshipping, Meaning: "the replacement goods are to be shipped"},
	{Name: RefundProcessing, Meaning: "the refund is in progress"},
	{Name: Completed, Meaning: "completed", Terminal: true},
	{Name: Rejected, Meaning: "refused by the seller or by inspection", Terminal: true},
	{Name: Withdrawn, Meaning: "withdrawn by the customer", Terminal: true},
	{Name: Expired, Meaning: "the customer did not pay in time", Terminal: true},
	{Name: ConvertedToReturn, Meaning: "replaced by a return", Terminal: true},
}

// Conditions that distinguish rules of one state and trigger. The code compares them; all others are documentation.
const (
	passed = "result pass"
	failed = "result fail, with a memo"
)

const (
	memoGiven     = "with a memo"
	carrierGiven  = "with carrier and tracking number"
	overdue       = "the period is over"
	inspectedFail = "prepaid shortfall is refunded"
	endsHold      = "the lines are released; prepaid shortfall is refunded"
)

// cancelRules: no pickup and no inspection; the refund starts at approval.
var cancelRules = []arrow{
	{From: Requested, Trigger: Approve, Actor: "api", To: RefundProcessing, Effect: "refund fixed and started"},
	{From: Requested, Trigger: Reject, Actor: "api", Condition: memoGiven, To: Rejected, Effect: "the lines are released"},
	{
		From: RefundProcessing, Trigger: FinishRefund, Actor: "service",
		Condition: "refund succeeded or nothing to refund", To: Completed,
		Effect: "the lines become canceled",
	},
}

// beforeCollection are the rules that returns and exchanges share until the goods are collected, and while an operator holds
// the inspection.
var beforeCollection = []arrow{
	{From: PaymentPending, Trigger: PayShortfall, Actor: "customer", Condition: "the whole shortfall", To: Requested},
	{
		From: PaymentPending, Trigger: ExpirePayment, Actor: "service", Condition: overdue, To: Expired,
		Effect: "the lines are released",
	},
	{From: PaymentPending, Trigger: Withdraw, Actor: "customer", To: Withdrawn, Effect: "the lines are released"},
	{From: Requested, Trigger: Approve, Actor: "api", To: Approved},
	{From: Requested, Trigger: Reject, Actor: "api", Condition: memoGiven, To: Rejected, Effect: endsHold},
	{From: Requested, Trigger: Withdraw, Actor: "customer", To: Withdrawn, Effect: endsHold},
	{From: Approved, Trigger: Pickup, Actor: "api", Condition: carrierGiven, To: Collecting, Effect: "pickup stored"},
	{From: Approved, Trigger: Withdraw, Actor: "customer", To: Withdrawn, Effect: endsHold},
	{From: Collecting, Trigger: CollectDone, Actor: "api", To: Collected},
	{
		From: Collected, Trigger: Inspect, Actor: "api", Condition: failed, Via: []Status{Inspecting}, To: Rejected,
		Effect: inspectedFail,
	},
	{From: Collected, Trigger: HoldInspection, Actor: "operator", To: Inspecting},
	{From: Inspecting, Trigger: Reject, Actor: "api", Condition: memoGiven, To: Rejected, Effect: endsHold},
	{From: Inspecting, Trigger: Inspect, Actor: "operator", Condition: failed, To: Rejected, Effect: inspectedFail},
}

// returnRules: the refund starts when the inspection passes, or when its due time passes without one.
var returnRules = []arrow{
	{
		From: Collected, Trigger: Inspect, Actor: "api", Condition: passed, Via: []Status{Inspecting}, To: RefundProcessing,
		Effect: "refund fixed and started",
	},
	{
		From: Inspecting, Trigger: Inspect, Actor: "operator", Condition: passed, To: RefundProcessing,
		Effect: "refund fixed and started",
	},
	{
		From: Collected, Trigger: PassUninspected, Actor: "service", Condition: overdue, To: RefundProcessing,
		Effect: "counts as passed; refund fixed and started",
	},
	{
		From: RefundProcessing, Trigger: FinishRefund, Actor: "service",
		Condition: "refund succeeded or nothing to refund", To: Completed,
		Effect: "the lines become returned",
	},
}

// exchangeRules: a passed inspection adds the replacement line; a price difference owed to the customer is refunded in parallel.
var exchangeRules = []arrow{
	{
		From: Collected, Trigger: Inspect, Actor: "api", Condition: passed, Via: []Status{Inspecting}, To: Reshipping,
		Effect: "replacement line created; refund of the price difference started when one is owed",
	},
	{
		From: Inspecting, Trigger: Inspect, Actor: "operator", Condition: passed, To: Reshipping,
		Effect: "replacement line created; refund of the price difference started when one is owed",
	},
	{
		From: Reshipping, Trigger: Reship, Actor: "api", Condition: carrierGiven, To: Completed,
		Effect: "replacement line becomes shipping, the lines become exchanged",
	},
	{
		From: Requested, Trigger: ConvertToReturn, Actor: "operator", To: ConvertedToReturn,
		Effect: "replaced by a return in the state requested",
	},
	{
		From: Approved, Trigger: ConvertToReturn, Actor: "operator", To: ConvertedToReturn,
		Effect: "replaced by a return in the state approved",
	},
	{
		From: Collecting, Trigger: ConvertToReturn, Actor: "operator", To: ConvertedToReturn,
		Effect: "replaced by a return in the state collecting",
	},
	{
		From: Collected, Trigger: ConvertToReturn, Actor: "operator", To: ConvertedToReturn,
		Effect: "replaced by a return in the state collected",
	},
	{
		From: Inspecting, Trigger: ConvertToReturn, Actor: "operator", To: ConvertedToReturn,
		Effect: "replaced by a return in the state collected",
	},
	{
		From: Reshipping, Trigger: ConvertToReturn, Actor: "operator", Via: []Status{Inspecting}, To: ConvertedToReturn,
		Effect: "replaced by a return in the state refund_processing; the replacement line is canceled",
	},
}

var machines = map[Type]*machine.Machine[Status, Trigger]{
	Cancel: machine.New("Cancel",
		only(Requested, RefundProcessing, Completed, Rejected), cancelRules),
	Return: machine.New("Return",
		except(Reshipping, ConvertedToReturn), slices.Concat(beforeCollection, returnRules)),
	Exchange: machine.New("Exchange",
		except(RefundProcessing), slices.Concat(beforeCollection, exchangeRules)),
}

// Machine returns the table of a type; nil for an unknown type.
func (t Type) Machine() *machine.Machine[Status, Trigger] { return machines[t] }

// Terminal reports whether a claim in the state has ended.
func (s Status) Terminal() bool {
	return slices.ContainsFunc(states, func(row state) bool { return row.Name == s && row.Terminal })
}

func only(names ...Status) []state {
	return slices.DeleteFunc(slices.Clone(states), func(s state) bool { return !slices.Contains(names, s.Name) })
}

func except(names ...Status) []state {
	return slices.DeleteFunc(slices.Clone(states), func(s state) bool { return slices.Contains(names, s.Name) })
}
