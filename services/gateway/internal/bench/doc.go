// Package bench measures the cost of the gateway's own work: key authentication, the round trips to Redis, the lease of an
// idempotency key.
//
// Machines differ and are noisy, so the relevant results are ratios of sides that are loaded in turns (A B C A B C …) after a
// warm-up: the median of the rounds' ratios, with minimum and maximum.
//
//	bare      httputil.ReverseProxy of the standard library alone, in a process of its own
//	plain     the gateway without the work of package rest: the same engine, forwarder and connections
//	gateway   the whole gateway, in the process of plain
//
// All forward to one service that always gives the same answer. Service, bare proxy and gateway are separate processes, and so
// are PostgreSQL and Redis; this process generates the load. They share the machine, so the CPU time of Redis reduces the
// gateway's throughput too. The CPU time of a request is taken from the scheduler's accounting of the process's threads.
//
// Where nginx with its Lua module is installed, reads are also compared with it. It is started here with a configuration made
// from nginx.conf.tmpl, and counts calls by the gateway's own script on the same Redis. Before it is loaded, it must refuse an
// unknown key and a key whose window the gateway has filled; afterwards its windows must be in Redis.
//
// There are many keys with wide limits, so that no call is refused and a window holds about as many calls as that of a busy
// client. The costs of a full window and of refused calls are measured separately, with the limits of the specification.
//
// The footprint is measured on the gateway's own program, started as in production and idle.
package bench
