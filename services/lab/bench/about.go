package bench

import (
	"fmt"
	"runtime"
	"strings"
)

func (b *benchmark) about() []string {
	return paragraphs(
		`Measured: the four services as separate processes, built and configured as the chart runs them (memory limits,
connections, logs), on one PostgreSQL that syncs its writes to disk and one Redis, all on %d CPUs that the load
generator shares.`, runtime.NumCPU(),
		`Tracing is on: the spans of %v of the requests are exported by OTLP/gRPC to a receiver in a separate process, which
decodes and counts them and stores none. It implements OTLP's service definition and is not a collector.`, b.tree.chart.Telemetry.SampleRatio,
		`Calls come from %d sellers, drawn by how much they sell (Zipf), with pages drawn at random among full ones. Responses
are compressed (gzip). Limits are checked as usual and never reached.`, b.Sellers,
		`pgbench runs the statements that PostgreSQL received for the same calls: prepared, with the settings of the service's
sessions, over as many connections, reading every result completely. Every %d runs it takes the arguments of another
call, with one more statement.`,
		sameArguments,
		`The minimal transaction (least.sql) has only the guarantees of a shipment, on separate tables with the fewest indexes;
pgbench runs it too. Except for one kind, concurrent calls are of different sellers.`, nil,
		`Sides are measured alternately: %d rounds, each after a warm-up; figures are medians (minimum–maximum). CPU is that of
all threads and processes of a service or server, per request.`, b.Rounds,
		`At a fixed rate, half of that of the closed loop, latency is measured from the time at which the request was due.`, nil,
		`In favour of the services: a shipment takes three round trips in pgbench and fewer in the service; pgbench uses the
text format where the service uses the binary format; updated_at of all orders lies within the time of the fill; the
receiver of spans stores none.`, nil,
		`Against the services: pgbench owns the tables, so row-level security does not apply to it, and it neither compresses
nor checks keys, limits or scopes; the load generator, the receiver and four services share the CPUs with PostgreSQL.`, nil,
	)
}

func (b *benchmark) aboutComparison(commit string) []string {
	return paragraphs(
		`Compared: the system of this tree (new) with that of %s (base). Each is built from its own source, configured as by
its own chart, and filled through its intake with the same marketplace, in a separate database, on the same
PostgreSQL, Redis and CPUs.`, commit,
		`The load is this tree's, alternately on both: %d rounds, each after a warm-up; figures are medians (minimum–maximum).
While one is measured, the other one is idle.`, b.Rounds,
		`The ratios of unchanged parts show how much of the other ratios is random.`, nil,
	)
}

// paragraphs returns the lines of texts. Each text is followed by the value that is
// formatted into it, or by nil.
func paragraphs(textsAndValues ...any) []string {
	var all []string
	for i := 0; i < len(textsAndValues); i += 2 {
		text, _ := textsAndValues[i].(string)
		if value := textsAndValues[i+1]; value != nil {
			text = fmt.Sprintf(text, value)
		}
		all = append(all, strings.Split(text, "\n")...)
	}
	return all
}
