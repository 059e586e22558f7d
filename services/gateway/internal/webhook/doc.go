// Package webhook tells addresses of sellers that a list of theirs has changed. A delivery names the lists and has no data of
// them: its receiver reads the lists forwards from its position. So nothing can leak, no order has to be kept, and a delivery
// that is lost, late or repeated does no harm.
//
// # What is behind
//
// The clock of a seller is the time of the latest change of its list in a service. Each row of an address has the clocks that
// were delivered to it last, and is behind while a clock is later. Every gateway compares them every second, with one question
// to each service. There is no event that could be lost, and nothing to clean up after a crash: an address whose delivery was
// not recorded is still behind and is told again. A service that does not respond is not
// waited for: its answer counts when it comes, and the other lists are delivered.
//
// # No leader
//
// A gateway claims an address before it delivers, with `for update skip locked`, for longer than a delivery may take. So at most
// one delivery to an address is under way. The claim of a gateway that died ends by itself.
//
// # Hostile receivers
//
// A receiver is on the public internet: the dialer checks each IP address after resolution, when the connection is made, so that
// a name cannot lead into the cluster's network. Redirects are not followed, no proxy is used, an answer is read to a few
// kilobytes, and a delivery takes ten seconds at most. Addresses that failed last, or were slow within the last hour, are
// delivered to by workers of their own: many that never answer, or take their time, cannot delay the others for longer than it
// takes a gateway to know them.
package webhook
