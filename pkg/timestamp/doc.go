// Package timestamp reads the times that clients send and prints the times that
// they receive.
//
// Both formats are deliberately strict. A request time is read by [Parse] in one
// pass without allocating; anything else is refused with a text that tells the
// client what to send instead, because a filter that is silently misread returns
// the wrong records. A response time always has six fractional digits and ends
// in Z, so that clients may compare the strings: their order is the order of the
// instants.
//
// Times that the marketplace reports come as messages and not as text;
// [CheckReported] validates them.
//
// Microseconds are the resolution everywhere, as in the database. Parse
// truncates finer fractions.
package timestamp
