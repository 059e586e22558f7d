// Package inquiry has the rules of product inquiries: the states of an inquiry, when two answers are equal, and the decision on
// an answer that a seller sends.
//
// # One answer, once
//
// An answer cannot be changed. The first one is registered, the same content again converges, other content is refused. Only an
// operator can cancel an answer; the inquiry is then waiting again and the next answer counts as the first one.
//
// # Concurrent cancellation
//
// A seller's call looks at the inquiry, decides, and then writes. It does not hold the inquiry while it decides: a refusal must
// not wait for locks. An operator's cancellation can therefore fall between the look and the write. Which of the two was first
// is then no longer a fact that the seller can rely on: "your answer stands" would be false a moment later, and "registered
// now" would put an answer back that an operator has just taken away. So the call ends with QNA_ANSWER_UNRESOLVED, nothing is
// written, and the seller tries again later; see [Settle]. Another seller's worker in between is harmless: the decision is
// simply made again on what it left.
//
// The package does no I/O and reads no clock.
package inquiry

//go:generate go test -run TestStates_documentIsCurrent -update .
