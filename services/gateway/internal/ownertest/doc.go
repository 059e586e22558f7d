// Package ownertest is a small owning service for the tests of the gateway: it stands where orders, claims and qna stand,
// on the same libraries, with the same record of first answers in its own transactions. Only what it does is simple: the
// effect of every process operation is one row.
//
// What a call shall do is said by the name in its path, so that it can be said to operations without a body too, see
// Success and its neighbours. What shall happen on the way is said by the test, see Options.At.
package ownertest
