// Package claim holds the rules of cancel, return and exchange claims. It decides and computes; it has no I/O, no logging and
// no clock.
//
// # One table
//
// states.go defines for each type of claim its states, the transitions between them and who may cause them. A seller's
// available actions ([Claim.AvailableActions]), the terminal states, the document STATES.md and the tests are derived from that
// table. No other code defines a transition.
//
// # The retry rule
//
// Clients repeat their calls. [Decide] therefore has three outcomes: the claim is in the action's start state, so the action is
// executed; there is evidence that the action was performed before with the same values, so nothing changes and the call
// succeeds; neither, so the outcome cannot be determined from the claim: IDEMPOTENCY_UNRESOLVED. A claim in the action's start
// state that must not move, because of a fact outside it or because an operator froze it, is refused with the CLAIM_NOT_… code
// of the action.
//
// # Two services
//
// What a state says about the lines must be true once the state is visible. So every transition that depends on the orders
// service waits for it (the table firstSteps): the lines of a claim that ends without effect are free when it shows that, those
// of a claim that refunds can be settled in any case, the replacement line of an exchange can be shipped when it shows
// reshipping and has shipped when it shows completed, and a claim that goes on holds its lines. These transitions have two
// phases, for every actor: the event is registered as pending evidence and does not change the state, then [Claim.Confirm]
// completes it when the orders service has done its step, or [Claim.Abandon] rolls it back when that is impossible. In between
// the claim shows its old state, a repeated call resumes, and any other is refused. Every other transition moves the claim first,
// and the steps in [Change] update the order afterwards.
//
// # Money
//
// money.go computes in integers of the order's currency. The costs of a claim are quoted when it is requested; its refund is
// fixed once and never recomputed. What was paid with points is refunded in points (points.go). exchange.go states what the
// line of an exchange costs. Each refund is a separate row with its own states (refund.go).
package claim

//go:generate go test -run "TestStates" -update .
