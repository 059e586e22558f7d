// Package siege attacks a running system the way a hostile or broken client would, with nothing but its public port and keys, and
// holds what that costs against bars. Each bar is measured beside a quiet control: the same calls without what makes them an attack.
//
// The system is the real one, in a process of its own, on private servers, with the published limits. CPU and memory are those of that
// process, which has all services in it: a refused call reaches none but the gateway.
//
// Everything is bounded in count and time and goes to loopback.
package siege
