package bench

import (
	"fmt"
	"runtime"
	"strings"
)

// about says what is compared with what, and which differences favour us or count
// against us.
func (b *benchmark) about() []string {
	return paragraphs(
		`Measured: the four services as processes of their own, built and told as the chart runs them (memory limits, connections, logs), on
one PostgreSQL that forces its writes to disk and one Redis, all on %d CPUs that the load generator shares.`, runtime.NumCPU(),
		`Tracing is on: of %v of the requests, spans are exported by OTLP/gRPC to a receiver that is a process of its own, decodes and counts
them, and stores none. It is built on OTLP's own service definition and is no collector.`, b.tree.chart.Telemetry.SampleRatio,
		`Calls come from sellers drawn by how much they sell (Zipf) among %d, with pages drawn at random among those that are full. Answers
are compressed (gzip). Limits are checked as always and never met.`, b.Sellers,
		`pgbench runs the statements that PostgreSQL was sent for the same calls: prepared, with the settings of the service's sessions, over
as many connections, reading every result to the end. It takes the arguments of another call every %d runs, by one more statement.`,
		sameArguments,
		`The least transaction (least.sql) keeps the promises of a shipment and nothing else, over tables of its own with the fewest indexes;
pgbench runs it too. All but one kind of calls at once are of different sellers.`, nil,
		`Sides are measured in turns: %d rounds, each after a warm-up; figures are medians (least–most). CPU is that of all threads and
processes of a service or server, for one request.`, b.Rounds,
		`At a fixed rate, half of that of the closed loop, a latency counts from when the request was to be sent.`, nil,
		`Flatters us: the statements of a shipment take three round trips in pgbench and fewer in the service; pgbench speaks in texts where
the service speaks in binary values; updated_at of filled orders lies within the time of the fill; the receiver of spans stores none.`, nil,
		`Hurts us: pgbench is the owner of the tables, whom no policy of row-level security holds, and neither compresses nor checks a key, a
limit or a scope; the load generator, the receiver and four services share the CPUs with PostgreSQL.`, nil,
	)
}

// aboutComparison says what is compared between two trees.
func (b *benchmark) aboutComparison(commit string) []string {
	return paragraphs(
		`Compared: the system of this tree (new) with that of %s (base). Each is built from its own source, told what its own chart says, and
filled through its intake with the same marketplace, in a database of its own, on the same PostgreSQL, Redis and CPUs.`, commit,
		`The load is this tree's, in turns on one and the other: %d rounds, each after a warm-up; figures are medians (least–most). While one
is measured, the other one runs and has nothing to do.`, b.Rounds,
		`Ratios of what the change did not touch say how much of the others is chance.`, nil,
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
