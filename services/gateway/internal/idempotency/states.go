package idempotency

//go:generate go test -run TestTheStatesDocumentIsRenderedFromTheTable -update .

import "sellerapi.dev/pkg/machine"

// State is what is known of a key.
type State string

// The states of a key, in Redis and in the record of the owning service together.
const (
	KeyUnknown  State = "unknown"
	KeyBegun    State = "begun"
	KeyAnswered State = "answered"
	KeyRecorded State = "recorded"
	KeyGone     State = "gone"
)

// Event is what happens to a key.
type Event string

// The events of a key.
const (
	Send       Event = "send"
	SendAgain  Event = "send again"
	SendOther  Event = "send other content"
	Decide     Event = "service decides"
	Refuse     Event = "nothing decided"
	LockEnds   Event = "lock ends"
	AnswerEnds Event = "24 hours pass"
	RedisLoses Event = "Redis forgets"
)

// States is the life of an idempotency key.
var States = machine.New("Idempotency key",
	[]machine.State[State]{
		{Name: KeyUnknown, Meaning: "never used, or used without a stored answer"},
		{Name: KeyBegun, Meaning: "a request with the key is being processed"},
		{Name: KeyAnswered, Meaning: "the first answer is stored, with its service and in Redis"},
		{Name: KeyRecorded, Meaning: "the first answer is stored with its service alone; Redis knows whose key it is"},
		{Name: KeyGone, Meaning: "the answer was deleted, the key is remembered forever", Terminal: true},
	},
	[]machine.Rule[State, Event]{
		{From: KeyUnknown, Trigger: Send, Actor: "client", To: KeyBegun, Effect: "the request is forwarded"},
		{From: KeyBegun, Trigger: SendAgain, Actor: "client", To: KeyBegun, Effect: "409 `IDEMPOTENCY_IN_PROGRESS`"},
		{From: KeyBegun, Trigger: SendOther, Actor: "client", To: KeyBegun, Effect: "409 `IDEMPOTENCY_IN_PROGRESS`: whose key it is, is not decided yet"},
		{From: KeyBegun, Trigger: Decide, Actor: "service", Condition: "success, not found or a final conflict", To: KeyAnswered, Effect: "the effect and the stored answer are one transaction"},
		{From: KeyBegun, Trigger: Decide, Actor: "service", Condition: "the same, with an answer too large for Redis", To: KeyRecorded, Effect: "the effect and the stored answer are one transaction"},
		{From: KeyBegun, Trigger: Refuse, Actor: "service", Condition: "wrong input, a conflict that asks to retry, or a fault (5xx), whatever the service says of it", To: KeyUnknown, Effect: "the same key may be sent again"},
		{From: KeyBegun, Trigger: LockEnds, Actor: "time", Condition: "the gateway died before the service decided", To: KeyUnknown, Effect: "the next request runs"},
		{From: KeyBegun, Trigger: RedisLoses, Actor: "fault", To: KeyUnknown, Effect: "the record of the service decides"},
		{From: KeyAnswered, Trigger: SendAgain, Actor: "client", To: KeyAnswered, Effect: "the first answer, with `Idempotent-Replayed: true`"},
		{From: KeyAnswered, Trigger: SendOther, Actor: "client", To: KeyAnswered, Effect: "409 `IDEMPOTENCY_KEY_REUSED`"},
		{From: KeyAnswered, Trigger: RedisLoses, Actor: "fault", To: KeyAnswered, Effect: "the record of the service decides; other services do not know the key"},
		{From: KeyAnswered, Trigger: AnswerEnds, Actor: "time", To: KeyGone, Effect: "every repetition: 410 `IDEMPOTENCY_RESULT_EXPIRED`; other content is still `IDEMPOTENCY_KEY_REUSED`"},
		{From: KeyRecorded, Trigger: SendAgain, Actor: "client", To: KeyRecorded, Effect: "the request is forwarded, and its service gives the first answer, with `Idempotent-Replayed: true`"},
		{From: KeyRecorded, Trigger: SendOther, Actor: "client", To: KeyRecorded, Effect: "409 `IDEMPOTENCY_KEY_REUSED`"},
		{From: KeyRecorded, Trigger: RedisLoses, Actor: "fault", To: KeyRecorded, Effect: "the record of the service decides; other services do not know the key"},
		{From: KeyRecorded, Trigger: AnswerEnds, Actor: "time", To: KeyGone, Effect: "as from `answered`"},
	})
