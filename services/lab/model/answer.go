package model

import "time"

// Reply is the answer that the model expects to an operation.
type Reply struct {
	// Status is the HTTP status, for the marketplace's calls 200 or 0.
	Status int
	// Code is the error code; for a refused call of the marketplace without an error code, it is the code of the protocol.
	Code string
	// Data lists what the data of a success can be; the first element applies when nothing else happens at the time.
	Data []Object
	// Problem holds members of error_data.
	Problem Object
	// Replay says that this is the stored answer of the first call with the key.
	Replay bool
	// tell returns what the data of a success would be in another state: an answer about a claim shows the claim as it is
	// when the answer is given, and other operations may have changed it by then.
	tell func(m *Model) []Object
}

// Object is a JSON object with the expected values, which may be of the types below.
type Object map[string]any

// The symbolic values of objects.
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
	// Stamp matches any time.
	Stamp struct{}
	// Anything matches a value that the model does not know.
	Anything struct{}
	// Says matches an object that has these members, and may have others.
	Says Object
	// Either matches one of several values.
	Either []any
)

// At is a time: the time of the operation on the clock that What names, plus a duration, plus the length of each of the pauses.
type At struct {
	Op     int
	What   string
	Plus   time.Duration
	Paused *Pause
}

// Pause is the time from one operation to another, and the pauses before it.
type Pause struct {
	From, To int
	Before   *Pause
}

// The clocks of times. Each service records all changes of one call with the same time.
const (
	atOrder     = "order"
	atClaim     = "claim"
	atReturn    = "return"
	atInquiry   = "inquiry"
	atPaid      = "paid"
	atHistory   = "history-"
	atReshipped = "reshipped-"
	// atReturnCollected is the time at which the goods of a return that replaced an exchange count as collected.
	atReturnCollected = "return-collected"
)

// moment is the time of an event; the zero value means never. Periods that count from it stop during pauses.
type moment struct {
	op     int
	what   string
	paused *Pause
}

func at(op int, what string) moment { return moment{op: op, what: what} }

// later returns the moment with another pause; never stays never.
func (m moment) later(from, to int) moment {
	if m.what != "" {
		m.paused = &Pause{from, to, m.paused}
	}
	return m
}

func (m moment) value(plus time.Duration) any {
	if m.what == "" {
		return nil
	}
	return At{m.op, m.what, plus, m.paused}
}

const (
	statusOK      = 200
	statusBad     = 400
	statusMissing = 404
	statusNo      = 409
	statusInvalid = 422
)

func done(data Object) Reply { return Reply{Status: statusOK, Data: []Object{data}} }

func (m *Model) told(tell func(m *Model) []Object) Reply {
	return Reply{Status: statusOK, Data: tell(m), tell: tell}
}

func refuse(status int, code string) Reply { return Reply{Status: status, Code: code} }

func (r Reply) with(problem Object) Reply {
	r.Problem = problem
	return r
}

func (r Reply) ok() bool { return r.Code == "" }

func (r Reply) rpc() Reply {
	if !r.ok() {
		r.Status, r.Problem = 0, nil
	}
	return r
}
