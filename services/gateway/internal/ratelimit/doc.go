// Package ratelimit counts the calls and rows of an API key.
//
// # Guarantee
//
// In no window of 60 seconds are more than the allowed calls of a class admitted, and no call is refused while the limit is not
// reached: the window is the exact list of calls, not an estimate (section Limits, decisions on counters). Refused calls are not
// counted, so a client that retries too early does not wait longer. Retry-After is exact: after it the call is admitted unless
// other calls came in between; one second earlier it is not.
//
// Reads have a budget of rows besides the calls. A read is admitted while the rows of the window are below the budget; it
// reserves the maximum of its page and is settled to the number of rows returned. A gateway that crashes before settling leaves a
// reservation that expires with its call.
//
// # Clock and memory
//
// Time is Redis time, so that any number of gateways share one window. window.lua describes the behavior when that clock steps
// back, and the memory per key.
//
// # Without Redis
//
// There is no local estimate: a call that cannot be counted is not admitted (503 RATE_LIMIT_UNAVAILABLE), see admission.
package ratelimit
