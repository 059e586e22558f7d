// Package lines asks the orders service what it knows of the lines that a claim concerns, and tells it what becomes of them.
//
// A call has one of three outcomes, and anyone who calls must not mix the last two up:
//
//   - It succeeded. Every call is idempotent by claim and step, so it is no harm to be told so twice.
//   - It was refused: [Refusal] returns the row of the error table. Trying again helps only after something has changed
//     on the order's side. A refused call has changed nothing.
//   - Nobody knows: the service was not there, was too slow, its answer was lost or made no sense. The call may have been
//     carried out. It has to be made again until one of the other two comes out.
//
// The client repeats nothing by itself; that is for the steps to do, which survive the process.
package lines
