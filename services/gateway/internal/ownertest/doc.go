// Package ownertest is a minimal upstream service for the tests of the gateway: it replaces orders, claims and qna, uses the
// same libraries, and stores the first answers in its own transactions as they do. Only its effects are simple: every process
// operation adds one row.
//
// The name in a call's path selects its behavior, so that this also works for operations without a body; see Success and the
// constants after it. The test controls what happens during the call; see Options.At.
package ownertest
