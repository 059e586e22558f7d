// Package bench measures what the way through the gateway costs, and how much of it a change costs.
//
// Machines differ and are noisy, so hardly anything here is a figure on its own. Sides are measured in turns, A B A B, and what counts is
// the ratio of medians; the spread and the load of the machine stand beside them. What a run prints first says what is compared with what,
// and what of it is for us and against us; see about.go.
//
// # What is measured
//
// Reads: pages and details of orders, claims and inquiries, through gateway and service, and pgbench running the statements that
// PostgreSQL was sent for them. Closed loops say how much can be done, one at a fixed rate how long it takes.
//
// Shipments: alone, several at once, and several at once of one seller, through the gateway, by pgbench with the statements of the
// service, and by pgbench with the least transaction that keeps the promises (least.sql).
//
// Batches: 500 shipments in one call, in 500 calls in turn, and over several connections.
//
// Growth: every filter of the list of orders and every pair of them, for a seller with a thousand orders and up to a million, beside as
// many of others; and the first call after PostgreSQL was restarted with nothing in memory.
//
// Footprint: the memory of idle services and of idle connections, and the time from start to ready.
//
// Layouts: calls on one PostgreSQL, and on a coordinator with two workers. It needs the extension Citus.
//
// Compare: the same load on the systems of two source trees, in turns.
//
// # How
//
// tree.go builds the four services, system.go runs them as processes of their own, told what the chart tells them (chart.go, settings.go),
// on what ground.go starts: PostgreSQL, Redis and a receiver of spans. world.go fills them through their intake. The load generator is
// this process: load.go sends bytes that are ready and reads no JSON. The statements for pgbench are found in PostgreSQL's log
// (capture.go, transaction.go) and the settings of its sessions in what a service asks for (session.go), so that neither is written here.
package bench
