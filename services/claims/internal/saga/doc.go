// Package saga carries claims through two services that share no transaction, and to a payment provider that shares none
// with either.
//
// # One change at a time
//
// Everything that happens to a claim is one transaction in this service: the state, the evidence, the history, the money,
// and the steps that have to follow elsewhere. After the commit the steps are tried at once, so that a caller usually gets
// the claim in its last state. All that a call waits for elsewhere shares a few seconds, less than the call may take. What
// is not done by then is done by a sweep. A step can be tried by a request and by sweeps of several processes at the same
// moment: the orders service knows each by claim and step, and the claim is changed under a lock by rules that find out that
// it has been.
//
// # What is not done at once
//
// A sweep of every process looks for what is due every two seconds: steps, refunds, inspections and payments (package sweep).
// A step is due when the call that planned it has ended, killed or not, and again after pauses that grow with its age up to
// ten seconds. It is never given up. A refund whose provider said nothing is due again ten seconds later. So twenty seconds
// after the last fault nothing is left to do. A time is a column and is looked at again under the claim's lock, so a sweep
// that comes twice, or for a claim that has ended, does no harm.
//
// # The order first, the claim last
//
// Anyone who sees a claim in a state must find the order as the state promises. So a claim ends without effect after its lines
// were released, refunds after they were sealed (nothing keeps them from settling any more), is reshipping after the exchange
// line is there and can be shipped, completed after its lines were settled or that line is shipped, and a return takes the
// place of an exchange after its lines were handed over and those that stand in were canceled.
//
// All of these but the settlement go one way, whether a seller, the customer, an operator or the time decides: the decision is
// registered, which nobody sees; its step asks the order; then the claim shows the new state, in one transaction
// that cannot be refused any more. What is decided so blocks everything else, and the same call resumes it. What the order's
// side did is seen there a moment earlier than in the claim, never later.
//
// For the settlement the refund comes into it: the provider's success is written down together with the completion when the
// lines could be settled, and alone, with a step that settles them later, when they could not.
//
// # Answers that did not come
//
// A call that was not answered may have been carried out. It decides nothing: the step stays and is tried again. A call
// that was refused was not carried out, so the action it was for is taken back and the seller is told with the action's
// CLAIM_NOT_… code. The one refusal that does not take anything back is EXCHANGE_ITEM_SHIP_FAILED: the reshipment stays
// registered and the line is shipped when it can be, until an operator cancels it: that too asks the order first, which then
// never ships it, or has. While an action is registered nothing else can happen to the claim, and
// a freeze does not stop it.
//
// # Before an action
//
// An action that spends money or moves goods is executed only while the order's side says that the claim holds its lines in
// a state that it can complete from, and a reshipment only while its parcel can be the one. So a refusal leaves nothing
// behind, not even a later updated_at. If that cannot be asked, nothing is executed and the caller may come again; only a
// reshipment, whose parcel is there, is registered. What ends a claim without effect asks nothing. Between the question and the
// step an operator may still correct the order. The step finds that out, and what was registered is taken back, with a later
// updated_at, since a reshipment could be seen. After the step nobody can.
//
// # How a claim begins
//
// The lines are held before there is a claim, so the request is written down first, as a step of its own. Whatever happens
// then, the step goes on until the claim is there or is refused, and nothing stays held for nobody.
package saga
