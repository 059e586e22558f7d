// Package bench measures what the path through the gateway costs, and how a change affects that cost.
//
// Machines differ and are noisy, so hardly any figure here stands alone. Sides are measured in turns, A B A B, and what
// counts is the ratio of their medians; the spread and the load of the machine are shown beside them. A run first prints
// what is compared with what, and which differences favour us or count against us; see about.go.
//
// # What is measured
//
// Reads: pages and details of orders, claims and inquiries, through gateway and service, and pgbench running the statements
// that PostgreSQL received for them. Closed loops show the throughput, an open loop at a fixed rate shows the latency.
//
// Shipments: single ones, several at once, and several at once of one seller, through the gateway, by pgbench with the
// statements of the service, and by pgbench with the least transaction that keeps the promises (least.sql).
//
// Batches: 500 shipments in one call, in 500 consecutive calls, and over several connections.
//
// Growth: every filter of the list of orders and every pair of them, for a seller with a thousand to a million orders,
// beside as many of others; and the first call after PostgreSQL was restarted with cold caches. Both for orders as they were
// imported, all of which last changed then, and for orders that last changed when their items did.
//
// Footprint: the memory of idle services and of idle connections, and the time from start to ready.
//
// Layouts: calls on one PostgreSQL, and on a coordinator with two workers. This needs the extension Citus.
//
// Compare: the same load on the systems of two source trees, in turns.
//
// # How
//
// tree.go builds the four services, system.go runs them as separate processes, configured as the chart configures them
// (chart.go, settings.go), on what ground.go starts: PostgreSQL, Redis and a receiver of spans. world.go fills them through
// their intake. The load generator is this process: load.go sends prepared bytes and parses no JSON. The statements for
// pgbench are taken from PostgreSQL's log (capture.go, transaction.go) and the settings of its sessions from what a service
// requests (session.go), so that neither is written down here.
package bench
