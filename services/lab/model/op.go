package model

import "encoding/json"

// Kind is the kind of an operation.
type Kind string

// The operations of the public interface.
const (
	Prepare  Kind = "prepare"
	Ship     Kind = "ship"
	Batch    Kind = "batch"
	Deliver  Kind = "deliver"
	ActClaim Kind = "act-claim"
	Answer   Kind = "answer"
	// Check asks what the answer to a Batch would be now.
	Check Kind = "check"
	// CorrectParcel puts lines that are on their way into another parcel, if the marketplace permits it.
	CorrectParcel Kind = "correct-parcel"
)

// The operations of the marketplace: the storefront, customers, operators, the payment provider.
const (
	Place        Kind = "place"
	Pay          Kind = "pay"
	Confirm      Kind = "confirm"
	Correct      Kind = "correct"
	Forget       Kind = "forget"
	RequestClaim Kind = "request-claim"
	PayShortfall Kind = "pay-shortfall"
	Withdraw     Kind = "withdraw"
	Convert      Kind = "convert"
	Hold         Kind = "hold-inspection"
	Freeze       Kind = "freeze"
	Unfreeze     Kind = "unfreeze"
	Operate      Kind = "operate-claim"
	RefundPaid   Kind = "refund-paid"
	SetPolicy    Kind = "set-policy"
	// Permit sets whether the seller may correct parcels.
	Permit       Kind = "permit"
	PostInquiry  Kind = "post-inquiry"
	CancelAnswer Kind = "cancel-answer"
	// CancelReship cancels a reshipment that is registered and has not shipped.
	CancelReship Kind = "cancel-reshipment"
	RefundFailed Kind = "refund-failed"
	RetryRefund  Kind = "retry-refund"
	// PassDeadline lets the deadline pass until which a claim waits for a payment or an inspection.
	PassDeadline Kind = "pass-deadline"
)

// Op is one operation with all of its arguments. Orders, claims and inquiries are identified by numbers that begin with 1,
// items by the numbers of their codes, so that an operation keeps its meaning when others before it are removed. An item of
// 0 or less stands for an id that no item has.
type Op struct {
	Kind Kind `json:"kind"`
	// Key is the number of the idempotency key of a public operation.
	Key   int   `json:"key,omitempty"`
	Order int   `json:"order,omitempty"`
	Items []int `json:"items,omitempty"`
	// Parcel is the parcel of a shipment, a pickup, a reshipment or a correction; nil omits its fields.
	Parcel  *Parcel    `json:"parcel,omitempty"`
	Entries []Entry    `json:"entries,omitempty"`
	Place   *Placement `json:"place,omitempty"`
	// To is the state of a correction, or the outcome of a payment.
	To string `json:"to,omitempty"`
	// Act is the number of an operator's act; 0 for none.
	Act   int `json:"act,omitempty"`
	Claim int `json:"claim,omitempty"`
	// Return is the number of the claim that a conversion opens.
	Return int      `json:"return,omitempty"`
	Type   string   `json:"type,omitempty"`
	Reason string   `json:"reason,omitempty"`
	Wanted []Wanted `json:"wanted,omitempty"`
	// Later says that the payment provider pays the claim's refund later, when it is told to. Fails says that it refuses
	// until then.
	Later bool `json:"later,omitempty"`
	Fails bool `json:"fails,omitempty"`
	// Last says that the refund has failed so often that a person takes over.
	Last bool `json:"last,omitempty"`
	// Code is the code of a freeze, which the seller sees.
	Code   string  `json:"code,omitempty"`
	Action string  `json:"action,omitempty"`
	Result string  `json:"result,omitempty"`
	Memo   *string `json:"memo,omitempty"`
	// Payment is the number of a shortfall payment.
	Payment int   `json:"payment,omitempty"`
	Amount  int64 `json:"amount,omitempty"`
	// Permitted says that the seller may correct parcels from now on.
	Permitted bool `json:"permitted,omitempty"`
	// Currency is that of a fee; empty means won.
	Currency string `json:"currency,omitempty"`
	Inquiry  int    `json:"inquiry,omitempty"`
	Content  string `json:"content,omitempty"`
}

// Parcel is a parcel as a client sends it.
type Parcel struct {
	Carrier    string  `json:"carrier"`
	TrackingNo string  `json:"tracking_no"`
	Logistics  *string `json:"logistics,omitempty"`
}

// Entry is one entry of a batch shipment, or of its check.
type Entry struct {
	Order  int    `json:"order"`
	Items  []int  `json:"items"`
	Parcel Parcel `json:"parcel"`
}

// Placement is an order that the storefront places. Amounts are in the order's currency.
type Placement struct {
	Lines []LineSpec `json:"lines"`
	// Others are the lines of another seller, whose codes follow.
	Others       []LineSpec `json:"others,omitempty"`
	Points       int64      `json:"points,omitempty"`
	ShippingBase int64      `json:"shipping_base,omitempty"`
	ShippingPaid int64      `json:"shipping_paid,omitempty"`
	Unpaid       bool       `json:"unpaid,omitempty"`
	// PaidAt names an invalid time of the payment; it is empty for a valid one.
	PaidAt string `json:"paid_at,omitempty"`
}

// LineSpec is a line of a placement. State is its state, from paid to delivered.
type LineSpec struct {
	Quantity int64  `json:"quantity"`
	Unit     int64  `json:"unit"`
	Discount int64  `json:"discount,omitempty"`
	State    string `json:"state,omitempty"`
}

// Wanted is the claimed quantity of an item. Unit is the unit price of the exchanged goods and List their list price; 0
// means the same as before.
type Wanted struct {
	Item     int   `json:"item"`
	Quantity int64 `json:"quantity"`
	Unit     int64 `json:"unit,omitempty"`
	List     int64 `json:"list,omitempty"`
}

var public = set(Prepare, Ship, Batch, Deliver, ActClaim, Answer, Check, CorrectParcel)

// Public reports whether the operation is a seller's call of the public interface.
func (op Op) Public() bool { return public[op.Kind] }

// Keyed reports whether the answer to the operation is stored under its key. A check is sent with a key, which must not matter.
func (op Op) Keyed() bool { return op.Public() && op.Kind != Check }

// String returns the operation in the form in which it is printed and read again.
func (op Op) String() string {
	text, err := json.Marshal(op)
	if err != nil {
		panic(err) // it holds only values that JSON can represent
	}
	return string(text)
}

func (op Op) content() string {
	op.Key = 0
	return op.String()
}
