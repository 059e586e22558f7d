// Package http1 sends HTTP/1.1 requests to one address, each in the caller's goroutine, over connections that are kept. What is
// on the wire is written and read by net/http (Request.Write, ReadResponse); the connections are this package's.
//
//   - An idle connection that the service closed, or that carries unsolicited bytes, is detected on the socket before use.
//   - A request that is cancelled or has run out of time wakes the reading or writing goroutine through the connection's
//     deadline. The connection is closed then.
//   - An answer that comes before a large body has been taken is read, because such a body is written by a goroutine of its own.
//   - The deadline of a request can be moved while its client takes the answer (Extend).
//
// A request is sent again, on another connection, only when it was sent on a connection that had been used before, nothing of an
// answer came, and either not one byte was sent or it is a GET without a body: this is when a service closed the connection just
// then.
//
// # Why not a library's client
//
// Medians in place of this package, as multiples of its own: in the gateway, 8 clients, a page of 20 KB and a small process call,
// the clients in turns; the ranges are those of three runs of 15 to 60 rounds on two busy processors.
//
//	                              http.Transport   fasthttp.HostClient v1.78
//	requests per second           0.87 to 1.03     1.00 to 1.12
//	processor time per request    1.04 to 1.16     0.90 to 1.03
//	the same without admission    1.11 to 1.22     0.89 to 0.99
//
// That would do for both. What they lack, of 500 requests each:
//
//	the service closed the idle   3 to 14 POSTs    every POST fails, however long ago it was: idle
//	connection 0 to 20 µs ago     fail             connections are not watched
//	unsolicited bytes came 0 to   4 to 13 of the   38 to 40, and 14 after 2 ms
//	20 µs ago: the next request   next requests
//	has them as its answer
//	an answer before a large      held             read only after the whole body has been sent
//	body is taken
//	a request is cancelled        held             it goes on: requests have no context
//	a client reads slowly         held             its answer is cut off: the deadline is fixed
//
// The first two rows of http.Transport depend on when a goroutine of its own gets to read the connection: 200 µs later, none
// failed. When a server shut down without notice under the POSTs of 32 clients, 4 to 6 % failed with it, 2 to 3 % with this
// package. TestDo_idleConnectionClosed and TestDo_unaskedBytes hold the two rows here; BenchmarkGet compares the two without a
// gateway.
package http1
