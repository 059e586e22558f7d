// Package inquiry has the rules of product inquiries: the states of an inquiry, when two answers are equal, and the decision on an
// answer that a seller sends.
//
// # One answer, once
//
// An answer cannot be changed. The first one is registered, the same content again converges, other content is refused. Only an
// operator can cancel an answer; the inquiry is then waiting again and the next answer counts as the first one.
//
// # Concurrent cancellation
//
// A seller's call reads the inquiry, decides, and then writes. It does not lock the inquiry while it decides, so that a refusal does
// not wait for a lock. An operator's cancellation can therefore happen between the read and the write. Neither result would be right
// then: "already answered" would be wrong a moment later, and "registered" would restore an answer that an operator has just
// canceled. So the call fails with QNA_ANSWER_UNRESOLVED, nothing is written, and the seller retries later; see [Settle]. A concurrent
// call of the same seller is harmless: the decision is made again on its result.
//
// The package does no I/O and reads no clock.
package inquiry

//go:generate go test -run TestStates_documentIsCurrent -update .
