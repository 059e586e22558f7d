package model

import (
	"maps"
	"reflect"
	"slices"
)

// Model is everything that one seller has, and what the marketplace knows of it. Its methods are not safe for concurrent use.
type Model struct {
	Orders    map[int]*Order
	Claims    map[int]*Claim
	Inquiries map[int]*Inquiry
	// Policy is the seller's shipping fee for one way, by currency.
	Policy map[string]int64
	// MayCorrect says that the seller may correct parcels.
	MayCorrect bool
	acts       map[int]act
	keys       map[int]stored
	// slow says that paid claims complete at the end of the round, not at once; paying are the claims that wait for that.
	slow bool
	// withdrawn are the orders whose members have withdrawn before they were placed.
	withdrawn map[int]bool
	// ending are the claims that end in a slow round: a freeze comes too late for what is half done, but succeeds.
	ending map[int]bool
	// crowded says that other operations happen at the same time; registered are the claims whose reshipment was registered in
	// such a round.
	crowded    bool
	registered map[int]bool
	paying     []int
	// closed holds the states before its cancellation of each replacement that a conversion of the round closes first and then
	// cancels; closing are those that are not canceled yet, which is at the end of a slow round.
	closed  map[ItemID]string
	closing []closing
}

// closing is a replacement that is closed, and the time of its cancellation.
type closing struct {
	item ItemID
	at   moment
}

type act struct {
	order, item int
	to          string
	left        *Parcel
}

type stored struct {
	content string
	reply   Reply
}

// won is the currency of most orders, and the one in which there is a fee by default.
const won = "KRW"

// defaultPolicy is the fee of sellers that have not set one.
const defaultPolicy = 3000

// CurrencyOf returns the currency of an order, which its number decides.
func CurrencyOf(order int) string {
	if order%5 == 0 {
		return "USD"
	}
	return won
}

// New returns the model of a seller that has nothing yet.
func New() *Model {
	return &Model{
		Orders: map[int]*Order{}, Claims: map[int]*Claim{}, Inquiries: map[int]*Inquiry{}, Policy: map[string]int64{won: defaultPolicy},
		acts: map[int]act{}, keys: map[int]stored{}, withdrawn: map[int]bool{},
	}
}

// Clone returns a copy on which operations can be tried.
func (m *Model) Clone() *Model {
	return &Model{
		Orders: cloneMap(m.Orders, (*Order).clone), Claims: cloneMap(m.Claims, (*Claim).clone),
		Inquiries: cloneMap(m.Inquiries, (*Inquiry).clone),
		Policy:    maps.Clone(m.Policy), MayCorrect: m.MayCorrect, acts: maps.Clone(m.acts), keys: maps.Clone(m.keys),
		withdrawn: maps.Clone(m.withdrawn),
	}
}

// Same reports whether two models with equal answers so far are in the same state, so that no later operation can distinguish
// them.
func (m *Model) Same(other *Model) bool {
	return m.MayCorrect == other.MayCorrect && maps.Equal(m.Policy, other.Policy) && maps.Equal(m.acts, other.acts) &&
		maps.Equal(m.withdrawn, other.withdrawn) &&
		reflect.DeepEqual(m.Orders, other.Orders) &&
		reflect.DeepEqual(m.Claims, other.Claims) && reflect.DeepEqual(m.Inquiries, other.Inquiries)
}

// operations holds the implementation of each kind. id is the number of the operation, which identifies its times.
var operations map[Kind]func(m *Model, op Op, id int) Reply

func init() { //nolint:gochecknoinits // the table names methods that read it
	operations = map[Kind]func(m *Model, op Op, id int) Reply{
		Prepare: (*Model).process, Ship: (*Model).process, Deliver: (*Model).process, Batch: (*Model).batch,
		Check: (*Model).check, CorrectParcel: (*Model).correctParcel, Permit: (*Model).permit,
		ActClaim: (*Model).act, Operate: (*Model).act, Answer: (*Model).answer,
		Place: (*Model).place, Pay: (*Model).pay, Confirm: (*Model).confirm, Correct: (*Model).correct, Forget: (*Model).forget,
		RequestClaim: (*Model).request, PayShortfall: (*Model).payShortfall, Withdraw: (*Model).withdraw, Convert: (*Model).convert,
		Hold: (*Model).hold, Freeze: (*Model).freeze, Unfreeze: (*Model).unfreeze, RefundPaid: (*Model).refundPaid,
		SetPolicy: (*Model).setPolicy, PostInquiry: (*Model).postInquiry, CancelAnswer: (*Model).cancelAnswer,
		CancelReship: (*Model).cancelReshipment, RefundFailed: (*Model).refundFailed, RetryRefund: (*Model).retryRefund,
		PassDeadline: (*Model).passDeadline,
	}
}

// retryLater are the codes of refusals that are not stored for their idempotency key, in addition to refusals of bodies.
var retryLater = set(unresolved, shipFailed, "QNA_ANSWER_UNRESOLVED", NoSuchPath)

// Apply applies an operation and returns the expected reply. id must be a number that no other operation has.
func (m *Model) Apply(op Op, id int) Reply {
	switch {
	case !op.Public():
		return operations[op.Kind](m, op, id).rpc()
	case !op.Keyed():
		return operations[op.Kind](m, op, id)
	}
	if first, known := m.keys[op.Key]; known {
		if first.content != op.content() {
			return refuse(statusNo, "IDEMPOTENCY_KEY_REUSED")
		}
		replay := first.reply
		replay.Replay = true
		return replay
	}
	reply := operations[op.Kind](m, op, id)
	if keeps(reply) {
		m.keys[op.Key] = stored{op.content(), reply}
	}
	return reply
}

// Refuse notes that a public operation was refused because of other operations of its round, which the replies of the model
// leave out. A repetition with its key gets the same answer.
func (m *Model) Refuse(op Op, status int, code string) {
	reply := refuse(status, code)
	if _, known := m.keys[op.Key]; !known && op.Keyed() && keeps(reply) {
		m.keys[op.Key] = stored{op.content(), reply}
	}
}

func keeps(reply Reply) bool {
	final := reply.Status == statusOK || reply.Status == statusMissing || reply.Status == statusNo
	return final && !retryLater[reply.Code]
}

// ClaimsOf returns the claims of an order, in the order of their numbers.
func (m *Model) ClaimsOf(order int) []*Claim {
	var found []*Claim
	for _, no := range slices.Sorted(maps.Keys(m.Claims)) {
		if m.Claims[no].Order == order {
			found = append(found, m.Claims[no])
		}
	}
	return found
}
