// Package bench measures what the gateway's own work costs: finding out whose key it is, the round trips to Redis, the
// lock of an idempotency key.
//
// Machines differ and are noisy, so the figures that count are ratios. The same process listens twice: once as the whole
// gateway, once as a plain proxy, that is, the same engine, forwarder and connections without everything that package rest
// does in between. Both stand before one service that always gives the same answer. They are loaded in turns (A B A B …)
// and the medians are compared.
//
// Gateway and service are processes of their own, and so are PostgreSQL and Redis; the load comes from this process. They
// share the machine, so what Redis uses up is taken from the gateway's throughput as well.
//
// Many clients call at once, as they do where a gateway is needed. What comes together shares a round trip to Redis, so that
// each call of a few clients (-connections 16) costs more.
//
// Keys are many and their limits are wide, so that no call is refused and a window holds about as many calls as that of a
// busy client. What a full window and refused calls cost is measured apart, with the limits of the specification.
package bench
