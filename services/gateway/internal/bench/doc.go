// Package bench measures what the gateway's own work costs: finding out whose key it is, the round trips to Redis, the
// lock of an idempotency key.
//
// Machines differ and are noisy, so the figures that count are ratios of sides that are loaded in turns (A B C A B C …), once they
// are warm: the medians of the rounds' ratios, with the least and the greatest of them.
//
//	bare      httputil.ReverseProxy of the standard library and nothing else, in a process of its own
//	plain     the gateway without everything that package rest does: the same engine, forwarder and connections
//	gateway   the whole gateway, in the process of plain
//
// All stand before one service that always gives the same answer. Service, bare proxy and gateway are processes of their own, and so
// are PostgreSQL and Redis; the load comes from this process. They share the machine, so what Redis uses up is taken from the
// gateway's throughput as well. What a process used for a request is the scheduler's account of its threads.
//
// Keys are many and their limits are wide, so that no call is refused and a window holds about as many calls as that of a
// busy client. What a full window and refused calls cost is measured apart, with the limits of the specification.
//
// The footprint is that of the gateway's own program, started as in production and left alone.
package bench
