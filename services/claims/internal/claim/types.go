package claim

// Type is the kind of claim that the customer requested.
type Type string

// The types of claims.
const (
	Cancel   Type = "cancel"
	Return   Type = "return"
	Exchange Type = "exchange"
)

// Types returns all types in the order of the interface.
func Types() []Type { return []Type{Cancel, Return, Exchange} }

// Status is the state of a claim.
type Status string

// The states of claims. No type uses all of them; see states.go.
const (
	PaymentPending    Status = "payment_pending"
	Requested         Status = "requested"
	Approved          Status = "approved"
	Collecting        Status = "collecting"
	Collected         Status = "collected"
	Inspecting        Status = "inspecting"
	Reshipping        Status = "reshipping"
	RefundProcessing  Status = "refund_processing"
	Completed         Status = "completed"
	Rejected          Status = "rejected"
	Withdrawn         Status = "withdrawn"
	Expired           Status = "expired"
	ConvertedToReturn Status = "converted_to_return"
)

// Statuses returns all states in the order of the interface.
func Statuses() []Status {
	names := make([]Status, 0, len(states))
	for _, state := range states {
		names = append(names, state.Name)
	}
	return names
}

// Trigger moves a claim from one state to another: an action of the seller or something that happens to the claim.
type Trigger string

// The triggers that are not a seller's actions.
const (
	PayShortfall    Trigger = "pay-shortfall"
	ExpirePayment   Trigger = "expire-payment"
	Withdraw        Trigger = "withdraw"
	HoldInspection  Trigger = "hold-inspection"
	PassUninspected Trigger = "pass-uninspected"
	FinishRefund    Trigger = "finish-refund"
	ConvertToReturn Trigger = "convert-to-return"
)

// The events of the history that are no transitions of the table: the opening of a claim, an operator's freeze, and the
// rollback of a registered reshipment.
const (
	Request          Trigger = "request"
	FreezeSet        Trigger = "freeze"
	FreezeLifted     Trigger = "unfreeze"
	CancelReshipment Trigger = "cancel-reshipment"
)

// ActorKind is the kind of party that caused an event.
type ActorKind string

// The kinds of actors. The table of states uses them too: an operator may do everything that the API may, on the seller's
// behalf.
const (
	ByAPI      ActorKind = "api"
	ByCustomer ActorKind = "customer"
	ByOperator ActorKind = "operator"
	ByService  ActorKind = "service"
)

// Actor is the party that caused an event. Name is the key id of an API call, or the operator's name; empty otherwise. KeyPrefix
// and RequestID are those of an API call.
type Actor struct {
	Kind                 ActorKind
	Name                 string
	KeyPrefix, RequestID string
}

// Reason is the customer's reason for a claim.
type Reason string

// The reasons of the public interface.
const (
	ChangeOfMind    Reason = "change_of_mind"
	Defective       Reason = "defective"
	WrongDelivery   Reason = "wrong_delivery"
	OutOfStock      Reason = "out_of_stock"
	DelayedBySeller Reason = "delayed_by_seller"
	Other           Reason = "etc"
)

// Fault is the party that bears the shipping fee.
type Fault string

// The two parties.
const (
	BuyerFault  Fault = "buyer"
	SellerFault Fault = "seller"
)

// faults maps every reason to the party at fault, in the order in which reasons are listed.
var faults = []struct {
	reason Reason
	fault  Fault
}{
	{ChangeOfMind, BuyerFault},
	{Defective, SellerFault},
	{WrongDelivery, SellerFault},
	{OutOfStock, SellerFault},
	{DelayedBySeller, SellerFault},
	{Other, BuyerFault},
}

// Reasons returns all reasons in the order of the interface.
func Reasons() []Reason {
	reasons := make([]Reason, 0, len(faults))
	for _, row := range faults {
		reasons = append(reasons, row.reason)
	}
	return reasons
}

// Fault is derived from the reason alone. An unknown reason is the buyer's fault, like "etc".
func (r Reason) Fault() Fault {
	for _, row := range faults {
		if row.reason == r {
			return row.fault
		}
	}
	return BuyerFault
}

// SellersFault returns the reasons that are the seller's fault.
func SellersFault() []Reason {
	var reasons []Reason
	for _, row := range faults {
		if row.fault == SellerFault {
			reasons = append(reasons, row.reason)
		}
	}
	return reasons
}

// Result is the outcome of an inspection.
type Result string

// The two results.
const (
	Pass Result = "pass"
	Fail Result = "fail"
)
