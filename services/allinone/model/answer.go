package model

import "time"

// Reply is what the model expects an operation to be answered with.
type Reply struct {
	// Status is that of HTTP, for the marketplace's calls 200 or 0.
	Status int
	// Code is the error code; for a refusal of the marketplace's calls that has none, that of the protocol.
	Code string
	// Data is what the data of a success can be: the first is what it is when nothing else happens at the time.
	Data []Object
	// Problem are members of error_data.
	Problem Object
	// Replay: this is the stored answer of the first call with the key.
	Replay bool
	// tell says what the data of a success would be in another state: an answer about a claim shows it as it is when the
	// answer is given, and others may have moved it since.
	tell func(m *Model) []Object
}

// Object is an object of JSON with the values that are expected, among them those below.
type Object map[string]any

// ItemID is the id of an item, CodeOf its code, OrderNo, ClaimNo and InquiryID what the others are called.
type (
	// ItemID is the id of an item.
	ItemID struct{ Order, Item int }
	// CodeOf is the code of an item.
	CodeOf struct{ Order, Item int }
	// OrderNo is the number of an order.
	OrderNo int
	// ClaimNo is the number of a claim.
	ClaimNo int
	// InquiryID is the id of an inquiry.
	InquiryID int
	// SentItem is the id that an operation sent for an item, whether there is one or not.
	SentItem struct{ Order, Item int }
	// Stamp is any time.
	Stamp struct{}
	// Anything is a value that the model does not know.
	Anything struct{}
	// Says is an object that has these members, and may have others.
	Says Object
	// Either is one of several values.
	Either []any
)

// At is a time: when the operation happened, on the clock that What names, and some time later; and later by as long as each of the
// pauses lasted.
type At struct {
	Op     int
	What   string
	Plus   time.Duration
	Paused *Pause
}

// Pause is the time from one operation to another, and the pauses before.
type Pause struct {
	From, To int
	Before   *Pause
}

// The clocks of times. Each service stamps what one call changes with one time of its own.
const (
	atOrder   = "order"
	atClaim   = "claim"
	atReturn  = "return"
	atInquiry = "inquiry"
	atPaid    = "paid"
	atHistory = "history-"
	// atReshipped is when the lines of an exchange went out with its reshipment.
	atReshipped = "reshipped-"
	// atReturnCollected is when the goods of a return count as collected that takes the place of an exchange.
	atReturnCollected = "return-collected"
)

// moment is when something happened; the zero value is never. What counts from it waits while it is paused.
type moment struct {
	op     int
	what   string
	paused *Pause
}

// at is when an operation happened, on a clock.
func at(op int, what string) moment { return moment{op: op, what: what} }

// later is the moment with a pause; never stays never.
func (m moment) later(from, to int) moment {
	if m.what != "" {
		m.paused = &Pause{from, to, m.paused}
	}
	return m
}

// value is the time as it is expected in JSON.
func (m moment) value(plus time.Duration) any {
	if m.what == "" {
		return nil
	}
	return At{m.op, m.what, plus, m.paused}
}

// The statuses of HTTP that occur.
const (
	statusOK      = 200
	statusBad     = 400
	statusMissing = 404
	statusNo      = 409
	statusInvalid = 422
)

func done(data Object) Reply { return Reply{Status: statusOK, Data: []Object{data}} }

// told is a success whose data are those of a record when the answer is given.
func (m *Model) told(tell func(m *Model) []Object) Reply {
	return Reply{Status: statusOK, Data: tell(m), tell: tell}
}

func refuse(status int, code string) Reply { return Reply{Status: status, Code: code} }

// with adds members of error_data.
func (r Reply) with(problem Object) Reply {
	r.Problem = problem
	return r
}

// ok reports whether the operation succeeded.
func (r Reply) ok() bool { return r.Code == "" }

// rpc is the refusal as the marketplace gets it.
func (r Reply) rpc() Reply {
	if !r.ok() {
		r.Status, r.Problem = 0, nil
	}
	return r
}
