// Package siege attacks a running system the way a hostile or broken client would, with nothing but its public port and keys, and
// compares the cost with limits. Each limit is measured beside a control: the same calls without the attack.
//
// The system is the real one, in a process of its own, on private servers, with the published limits. CPU and memory are those of that
// process, which has all services in it: a refused call reaches none but the gateway.
//
// Everything is bounded in count and time and goes to loopback.
package siege
