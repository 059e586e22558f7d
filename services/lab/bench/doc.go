// Package bench measures what the path through the gateway costs, and how a change affects that cost.
//
// Machines differ and are noisy, so no bar is a time. Sides are measured in turns, A B A B, and what counts is the median of the
// ratios of the rounds: to a bare proxy, to compressing the same page, to the plain page of orders, to the least transaction
// with the same guarantees (least.sql) that pgbench runs. The report has these yardsticks of the machine beside the ratios.
// README.md has the goals of the last report that was kept. A run first prints what is compared with what; see about.
//
// # What is measured
//
// Gateway: calls through the gateway alone, in front of a service that always gives the same answer, beside
// httputil.ReverseProxy and, where it is installed, nginx that sends the gateway's own commands to Redis.
//
// Reads: pages and details of orders, claims and inquiries, through gateway and service.
//
// Writes: single shipments, several at once, and several at once of one seller; approvals and inspections of claims.
//
// Batches: 500 shipments in one call, in 500 consecutive calls, and over several connections.
//
// Growth: every filter of the list of orders and every pair of them, for a seller with a thousand to a million orders, beside as
// many of others. Both for orders as they were imported, all of which last changed then, and for orders that last changed when
// their items did.
//
// Footprint: the memory of idle services and of idle connections, and the time from start to ready.
//
// Compare: the same reads and writes on the systems of two source trees, in turns.
//
// # How
//
// tree.go builds the four services, system.go runs them as separate processes, configured as the chart configures them
// (chart.go, settings.go), on what ground.go starts: PostgreSQL, Redis and a receiver of spans. world.go fills them through
// their intake. The load generator is this process: it sends prepared bytes and parses no JSON.
package bench

import (
	"fmt"
	"runtime"
	"strings"
)

func (b *benchmark) about() []string {
	return strings.Split(fmt.Sprintf(
		`Measured: the four services as separate processes, built and configured as the chart runs them (memory limits, connections,
logs), on one PostgreSQL that syncs its writes to disk and one Redis, all on %d CPUs that the load generator shares. Tracing
is on, except where the gateway is measured alone: the spans of %v of the requests are exported to a receiver that counts and
stores none.
Calls come from %d sellers, drawn by how much they sell (Zipf), with pages drawn at random. Responses are compressed (gzip).
Limits are checked as usual and never reached.
The least transaction (least.sql) has only the guarantees of a shipment, on separate tables with the fewest indexes.
Sides are measured in turns: %d rounds, each after a warm-up; figures are medians (least–greatest), ratios medians of the
ratios of the rounds. CPU is that of all threads and processes of a service or server, per request.`,
		runtime.NumCPU(), b.tree.chart.Telemetry.SampleRatio, b.Sellers, b.Rounds), "\n")
}

func (b *benchmark) aboutComparison(commit string) []string {
	return strings.Split(fmt.Sprintf(
		`Compared: the system of this tree (new) with that of %s (base). Each is built from its own source, configured as by its own
chart, and filled through its intake with the same marketplace, in a separate database, on the same PostgreSQL, Redis and
CPUs. The load is this tree's, in turns on both: %d rounds, each after a warm-up; figures are medians (least–greatest), ratios
medians of the ratios of the rounds. While one is measured, the other one is idle. The ratios of unchanged parts show how much
of the other ratios is random.`, commit, b.Rounds), "\n")
}
