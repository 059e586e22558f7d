// Package saga processes claims across two services that share no transaction, and a payment provider that shares none with
// either.
//
// # One change at a time
//
// Every change of a claim is one transaction in this service: the state, the evidence, the history, the money, and the steps
// that other services have to perform. The steps are tried right after the commit, so that a caller usually gets the claim in
// its final state. All requests to other services on behalf of a call share a few seconds, less than the call's timeout. A
// sweep performs the remaining steps. A request and the sweeps of several processes can try a step at the same time: the orders
// service identifies each by claim and step, and the claim changes under a lock by rules that detect that it has already
// changed.
//
// # Background work
//
// Every two seconds a sweep in each process looks for due steps, refunds, inspections and payments (package sweep). A step is
// due when the call that planned it has ended, killed or not, and again after pauses that grow with its age up to ten seconds.
// It is never given up. A refund without an answer from its provider is due again ten seconds later. So no work is left twenty
// seconds after the last fault. Due times are columns and are checked again under the claim's lock, so a sweep that runs twice,
// or for a claim that has ended, does no harm.
//
// # The order first, the claim last
//
// A claim's state is visible only after the order matches it. So a claim ends without effect after its lines were released,
// refunds after they were sealed (nothing prevents their settlement any more), is reshipping after the exchange line exists and
// can be shipped, completes after its lines were settled or that line shipped, and a return replaces an exchange after its
// lines were moved over and their replacements were canceled.
//
// All of these but the settlement work the same way, and so do approvals, pickups and arrivals, which change no line: whether a
// seller, the customer, an operator or a timer decides, the decision is registered, which is not visible; its one step asks the
// orders service, which moves the order's updated_at; then the claim shows the new state, in one transaction that can no longer
// be refused. A registered decision blocks all others, and the same call resumes it. A change in the orders service is visible
// there a moment before it is visible in the claim, never after.
//
// A freeze and its end work in the same way. They are registered beside the actions, because a freeze does not stop an action
// that was registered before it. Until the orders service knows, no action begins.
//
// A conversion of an exchange that is reshipping needs two requests, because neither may the claim promise a line that is
// canceled, nor that one is canceled that is not: the line is closed, the claim shows inspecting, the line is canceled, and the
// return replaces the exchange.
//
// The settlement also depends on the refund: the provider's success is stored together with the completion if the lines could
// be settled, and otherwise alone, with a step that settles them later.
//
// What changes nothing but the claim (a paid shortfall, a held inspection, a freeze, a reshipment that has to wait) moves the
// order's updated_at afterwards, and nobody waits for that.
//
// # Missing answers
//
// A call without an answer may have been executed. It decides nothing: the step stays and is tried again. A refused call was
// not executed: the orders service refuses the step of a claim that does not hold its lines in a state from which it can
// complete. Then the registration is rolled back, nothing has changed for anybody who looks, and the seller gets the action's
// CLAIM_NOT_… code; a timer, which has no caller, freezes the claim for an operator. After the step of a decision that moves
// money or goods no operator can correct the order.
//
// The one refusal that rolls nothing back is EXCHANGE_ITEM_SHIP_FAILED: the reshipment stays registered and the line ships as
// soon as possible, until an operator cancels it. Its parcel was sent, so it becomes visible, as it does without an answer: the
// caller is told that it is registered. If the orders service refuses it later, updated_at moves once more. The cancellation asks
// the orders service first, which then never ships the line, or already has. While an action is registered, nothing else can
// happen to the claim but a freeze, which does not stop the action.
//
// # Opening a claim
//
// The lines are held before the claim exists, so the request is stored first, as a step of its own. The step is retried until
// the claim exists or is refused, and no lines stay held without a claim.
package saga
