package inquiry

import "sellerapi.dev/pkg/machine"

// Status is the state of an inquiry.
type Status string

// The states.
const (
	Waiting  Status = "waiting"
	Answered Status = "answered"
)

// Trigger is the event that causes a transition of an inquiry.
type Trigger string

// The triggers.
const (
	TriggerAnswer Trigger = "answer"
	TriggerCancel Trigger = "cancel-answer"
)

// The actors that cause triggers.
const (
	ActorAPI      = "api"
	ActorOperator = "operator"
)

// States is the state machine for all decisions. STATES.md is rendered from it.
var States = machine.New("Inquiry",
	[]machine.State[Status]{
		{Name: Waiting, Meaning: "the customer waits for an answer"},
		{Name: Answered, Meaning: "the seller's answer is shown to the customer"},
	},
	[]machine.Rule[Status, Trigger]{
		{
			From: Waiting, Trigger: TriggerAnswer, Actor: ActorAPI, To: Answered,
			Effect: "the answer is stored unchanged",
		},
		{
			From: Answered, Trigger: TriggerCancel, Actor: ActorOperator, To: Waiting,
			Effect: "the answer is no longer shown; it stays in the history",
		},
	})

// StatusNames returns every state as text, in the order of the table: the allowed values of the list's filter.
func StatusNames() []string {
	states := States.States()
	names := make([]string, 0, len(states))
	for _, state := range states {
		names = append(names, string(state.Name))
	}
	return names
}
