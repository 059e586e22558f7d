// Package ratelimit counts the calls and rows of an API key.
//
// # Promise
//
// In no window of 60 seconds are more than the allowed calls of a class admitted, and no call is refused while there is
// room: the window is the list of the calls themselves, not an estimate (section Limits, decisions on counters). Refused
// calls are not counted, so a client that knocks while it must wait does not wait longer. Retry-After is the true wait:
// after it the call is admitted unless other calls came in between; one second earlier it is not.
//
// Reads have a budget of rows beside the calls. A read is admitted while the rows of the window are below the budget; it
// reserves as many as its page may hold and is settled to what was really returned. A gateway that dies before settling
// leaves a reservation that ages out with its call.
//
// # Clock and memory
//
// Time is Redis time, so that any number of gateways share one window. window.lua says what happens when that clock
// steps back, and what a key costs.
//
// # Without Redis
//
// There is no local estimate: what can not be counted is not admitted (503 RATE_LIMIT_UNAVAILABLE), see admission.
package ratelimit
