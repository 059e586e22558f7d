package idempotency

//go:generate go test -run TestStates_documentIsCurrent -update .

import "sellerapi.dev/pkg/machine"

// State is the state of a key.
type State string

// The states of a key, in Redis and in the owning service's record combined.
const (
	KeyUnknown  State = "unknown"
	KeyBegun    State = "begun"
	KeyAnswered State = "answered"
	KeyExpired  State = "expired"
)

// Event is an event of a key.
type Event string

// The events of a key.
const (
	Send       Event = "send"
	SendAgain  Event = "send again"
	SendOther  Event = "send other content"
	Decide     Event = "service decides"
	Refuse     Event = "nothing decided"
	Renew      Event = "lease renewed"
	LeaseEnds  Event = "lease ends"
	AnswerEnds Event = "24 hours pass"
	RedisLoses Event = "Redis forgets"
)

// States is the state machine of an idempotency key.
var States = machine.New("Idempotency key",
	[]machine.State[State]{
		{Name: KeyUnknown, Meaning: "never used, or used without a stored response"},
		{Name: KeyBegun, Meaning: "a request with the key is being processed"},
		{Name: KeyAnswered, Meaning: "its service has stored the response; Redis has the digest of the request"},
		{Name: KeyExpired, Meaning: "the response was deleted; its service remembers the key as long as it is set to (without end " +
			"by default), the others never had it", Terminal: true},
	},
	[]machine.Rule[State, Event]{
		{From: KeyUnknown, Trigger: Send, Actor: "client", To: KeyBegun, Effect: "the request is forwarded"},
		{
			From: KeyBegun, Trigger: SendAgain, Actor: "client", To: KeyBegun,
			Effect: "409 `IDEMPOTENCY_IN_PROGRESS`, with a `Retry-After` that grows; charged once for a key and second",
		},
		{
			From: KeyBegun, Trigger: SendOther, Actor: "client", To: KeyBegun,
			Effect: "409 `IDEMPOTENCY_IN_PROGRESS`: the request that owns the key is not decided yet",
		},
		{
			From: KeyBegun, Trigger: Decide, Actor: "service", Condition: "success, not found or a final conflict", To: KeyAnswered,
			Effect: "the effect and the stored response are one transaction",
		},
		{
			From: KeyBegun, Trigger: Refuse, Actor: "service",
			Condition: "invalid input, a retryable conflict, or a server error (5xx), regardless of its code", To: KeyUnknown,
			Effect: "the same key may be sent again",
		},
		{
			From: KeyBegun, Trigger: Renew, Actor: "gateway", Condition: "the request still runs", To: KeyBegun,
			Effect: "the key stays with the request, however long it takes",
		},
		{
			From: KeyBegun, Trigger: LeaseEnds, Actor: "time",
			Condition: "its gateway died, was paused or could not reach Redis for 4 seconds", To: KeyUnknown,
			Effect: "the next request is forwarded; the record of the service decides, and what the late gateway says of the key is " +
				"ignored",
		},
		{From: KeyBegun, Trigger: RedisLoses, Actor: "fault", To: KeyUnknown, Effect: "the record of the service decides"},
		{
			From: KeyAnswered, Trigger: SendAgain, Actor: "client", To: KeyAnswered,
			Effect: "the request is forwarded, and its service returns the stored response, with `Idempotent-Replayed: true`",
		},
		{From: KeyAnswered, Trigger: SendOther, Actor: "client", To: KeyAnswered, Effect: "409 `IDEMPOTENCY_KEY_REUSED`"},
		{
			From: KeyAnswered, Trigger: RedisLoses, Actor: "fault", To: KeyAnswered,
			Effect: "the record of the service decides; other services do not know the key",
		},
		{
			From: KeyAnswered, Trigger: AnswerEnds, Actor: "time", To: KeyExpired,
			Effect: "every repetition: 410 `IDEMPOTENCY_RESULT_EXPIRED`; other content: 409 `IDEMPOTENCY_KEY_REUSED` from its service " +
				"as long as it remembers the key, from Redis for another hour",
		},
	})
