// Package inquiry holds the rules of product inquiries: which states an inquiry has, when two answers say the same, and
// what becomes of an answer that a seller sends.
//
// # One answer, once
//
// An answer cannot be changed. The first one is registered, the same content again converges, other content is refused.
// Only an operator can take an answer back; the inquiry then waits again and the next answer counts as a first one.
//
// # The answer that was cancelled at that moment
//
// A seller's call looks at the inquiry, decides, and then writes. It does not hold the inquiry while it decides: a
// refusal must not wait for locks. An operator's cancellation can therefore fall between the look and the write.
// Which of the two was first is then no longer a fact that the seller can rely on: "your answer stands" would be false a
// moment later, and "registered now" would put an answer back that an operator has just taken away. So the call ends
// with QNA_ANSWER_UNRESOLVED, nothing is written, and the seller tries again later; see [Settle]. Another seller's
// worker in between is harmless: the decision is simply made again on what it left.
//
// The package does no I/O and knows no clock.
package inquiry

//go:generate go test -run TestStates_documentIsCurrent -update .
