// Package siege attacks a running system as a hostile or broken client would, using only its public port and keys, and compares
// the cost with limits. Each limit is measured beside a control: the same calls without the attack.
//
// The system is the real one, in a process of its own, on private servers, with the published limits. CPU and memory are those
// of that process, which contains all services: a refused call gets no further than the gateway.
//
// Everything is bounded in number and time and goes to the loopback interface.
package siege
