// Package claim holds the rules of cancel, return and exchange claims. It decides and computes; it does not load, save,
// call, log or look at a clock.
//
// # One table
//
// states.go says for each type of claim which states exist, what leads from one to another and who may cause it. What a
// seller can do now ([Claim.AvailableActions]), what ends a claim, the document STATES.md and the tests are computed from
// that table. Nothing else names an arrow.
//
// # The retry rule
//
// Sellers' programs repeat their calls. [Decide] therefore gives one of three answers: the claim stands where the action
// starts, so it is executed; there is evidence that the action was performed before with the same values, so nothing
// changes and the answer is a success; neither, so the outcome cannot be told from the claim: IDEMPOTENCY_UNRESOLVED. A
// claim that stands where the action starts and yet may not move, because of a fact outside of it or because an operator
// froze it, is refused with the CLAIM_NOT_… code of the action.
//
// # Two services
//
// What a state promises of the lines must be true when anybody can see the state. So every arrow that the order's side must agree
// with needs it first (the table firstSteps): the lines of a claim that ends without effect are free when it shows that, those of a
// claim that refunds can be settled whatever comes, the replacing line of an exchange can be shipped when it shows reshipping and is
// shipping when it shows completed. These arrows are done in two halves, no matter who causes them: the event is registered as
// pending evidence and leaves the state alone, [Claim.Confirm] completes it when the order's side is done, [Claim.Abandon] takes it
// back when that is impossible. In between the claim shows its old state, the same call again resumes, and anything else is refused.
// Every other arrow moves the claim first, and the steps in [Change] tell the order afterwards.
//
// # Money
//
// money.go computes in integers of the order's currency. What a claim costs is quoted when it is requested; what it
// refunds is fixed once and never computed again. What was paid with points goes back as points (points.go). Each refund is
// a row of its own with its own states (refund.go).
package claim

//go:generate go test -run "TestStates" -update .
