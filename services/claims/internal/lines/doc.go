// Package lines is the client of the orders service: it queries the lines of a claim and reports the claim's changes.
//
// A call has one of three outcomes, and callers must distinguish the last two:
//
//   - It succeeded. Every call is idempotent by claim and step, so a repeated success does no harm.
//   - It was refused: [Refusal] returns the entry of the error table. A retry helps only after something has changed in the
//     orders service. A refused call has changed nothing.
//   - Unknown: the service was unavailable or too slow, or its answer was lost or invalid. The call may have been executed. It
//     has to be repeated until it has one of the other two outcomes.
//
// The client does not retry; the steps do, because they survive the process.
package lines
