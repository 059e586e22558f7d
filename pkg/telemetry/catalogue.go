package telemetry

//go:generate go test -run TestDocument_renderedFromCatalogue -update .

import "slices"

// Type is the Prometheus type of a metric.
type Type string

// The types that the catalogue uses.
const (
	TypeCounter   Type = "counter"
	TypeGauge     Type = "gauge"
	TypeHistogram Type = "histogram"
)

// Metric is a row of the catalogue. Names end in their unit; a label never carries a value that clients choose, such as a path, an id
// or a key, because each value creates a time series.
type Metric struct {
	Name    string
	Type    Type
	Help    string
	Labels  []string
	Buckets []float64
	// Shared marks a metric that every instance of a service reads from the same rows of the database: dashboards take the maximum
	// over instances, not the sum.
	Shared bool
}

// Group is a chapter of the catalogue: the metrics of one part of the code.
type Group struct {
	Title   string
	Metrics []Metric
}

// Buckets of durations in seconds. Requests normally take a few milliseconds, at most the deadlines of the gateway; statements and
// commands start lower.
var (
	requestBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
	storeBuckets   = []float64{.00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5}
)

// Metrics of every instance.
var (
	BuildInfo = Metric{Name: "build_info", Type: TypeGauge, Labels: []string{"service", "version", "go_version"},
		Help: "Always 1; the labels say what was built."}
	TraceExportFailures = Metric{Name: "trace_export_failures_total", Type: TypeCounter,
		Help: "Spans that the collector did not take."}
	DependencyUp = Metric{Name: "dependency_up", Type: TypeGauge, Labels: []string{"check"},
		Help: "1 when the last readiness probe of the dependency succeeded, else 0."}
	DependencyImpaired = Metric{Name: "dependency_impaired", Type: TypeGauge, Labels: []string{"check", "impairment"},
		Help: "1 when the last readiness probe found the dependency answering and unable to do all of its work, else 0. impairment: full (Redis: no memory left for writes), read_only (PostgreSQL)."}
	ClockSkew = Metric{Name: "clock_skew_seconds", Type: TypeGauge,
		Help: "By how much the clock of the instance is ahead of that of its database, as the last readiness probe found; less than the probe's own time counts as 0."}
	Ready = Metric{Name: "ready", Type: TypeGauge,
		Help: "1 while the instance takes requests, 0 while it starts, drains or misses a dependency."}
)

// The public paths, by route template.
var (
	HTTPRequests = Metric{Name: "http_requests_total", Type: TypeCounter, Labels: []string{"route", "method", "status", "error_code"},
		Help: "Answered requests. error_code is empty on success and for answers that have none."}
	HTTPDuration = Metric{Name: "http_request_duration_seconds", Type: TypeHistogram, Labels: []string{"route", "method"}, Buckets: requestBuckets,
		Help: "Time from the first byte read to the last byte written."}
	HTTPInFlight = Metric{Name: "http_requests_in_flight", Type: TypeGauge,
		Help: "Requests that are being answered."}
)

// Remote procedure calls, by procedure such as /orders.v1.ClaimLines/Open.
var (
	RPCServerRequests = Metric{Name: "rpc_server_requests_total", Type: TypeCounter, Labels: []string{"procedure", "code", "error_code"},
		Help: "Answered calls. code is the RPC code (ok on success), error_code the domain's."}
	RPCServerDuration = Metric{Name: "rpc_server_duration_seconds", Type: TypeHistogram, Labels: []string{"procedure"}, Buckets: requestBuckets,
		Help: "Time to answer a call."}
	RPCClientRequests = Metric{Name: "rpc_client_requests_total", Type: TypeCounter, Labels: []string{"procedure", "code", "error_code"},
		Help: "Calls made to other services, as seen by the caller."}
	RPCClientDuration = Metric{Name: "rpc_client_duration_seconds", Type: TypeHistogram, Labels: []string{"procedure"}, Buckets: requestBuckets,
		Help: "Time until a call made to another service was answered."}
)

// The gateway's inner hop.
var (
	UpstreamRequests = Metric{Name: "upstream_requests_total", Type: TypeCounter, Labels: []string{"upstream", "outcome"},
		Help: "Requests forwarded to a service. outcome is the status class (2xx … 5xx) or what failed (unavailable, timeout, bad_answer, client_gone)."}
	UpstreamDuration = Metric{Name: "upstream_duration_seconds", Type: TypeHistogram, Labels: []string{"upstream"}, Buckets: requestBuckets,
		Help: "Time until a forwarded request was answered."}
)

// Keys, limits and idempotency at the gateway.
var (
	KeyLookups = Metric{Name: "key_lookups_total", Type: TypeCounter, Labels: []string{"source"},
		Help: "Keys read from the database. source: call, preload (at the start of an instance)."}
	KeyRefusals = Metric{Name: "key_refusals_total", Type: TypeCounter, Labels: []string{"reason"},
		Help: "Keys refused. reason: missing, repeated, malformed, forged, environment, unknown, altered, revoked, expired, scope."}
	AddressRefusals = Metric{Name: "address_refusals_total", Type: TypeCounter,
		Help: "Calls without a good key that were answered 429, because their address had made RATE_REFUSED of them."}
	ConnectionRefusals = Metric{Name: "connection_refusals_total", Type: TypeCounter,
		Help: "Connections that were closed at once, because their address had CONNECTIONS_PER_ADDRESS of them."}
	LimitDecisions = Metric{Name: "limit_decisions_total", Type: TypeCounter, Labels: []string{"class", "outcome"},
		Help: "Calls weighed against the limits. class: read, process. outcome: admitted, refused_calls, refused_rows, unavailable, full (Redis has no memory for a new idempotency key)."}
	IdempotencyOutcomes = Metric{Name: "idempotency_outcomes_total", Type: TypeCounter, Labels: []string{"outcome"},
		Help: "What became of an idempotency key. outcome: new, busy, reused, replayed, gone, stored, not_stored, late."}
)

// Process calls at the gateway.
var (
	IdempotencyOldest = Metric{Name: "idempotency_oldest_in_progress_seconds", Type: TypeGauge,
		Help: "Age of the oldest idempotency key that the instance has begun and not ended; 0 when there is none. A call takes half a minute at most."}
	BodyMemory = Metric{Name: "body_memory_bytes", Type: TypeGauge,
		Help: "Memory reserved for request bodies, by their announced lengths. The limit is BODY_MEMORY_MIB."}
	BodyRefusals = Metric{Name: "body_refusals_total", Type: TypeCounter, Labels: []string{"reason"},
		Help: "Bodies of admitted calls that were not waited for, or not to their end. reason: key (four of the key are under way), memory (no room), slow."}
)

// The busiest sellers at the gateway, twenty at a time, and the sum of all others. The set of sellers changes slowly.
var (
	SellerCalls = Metric{Name: "seller_calls_per_second", Type: TypeGauge, Labels: []string{"seller"},
		Help: "Calls over the last five to ten minutes, refused ones too. seller: the twenty busiest of the instance, other for the rest."}
	SellerRows = Metric{Name: "seller_rows_per_second", Type: TypeGauge, Labels: []string{"seller"},
		Help: "Rows returned to the same."}
)

// PostgreSQL, by the name of the statement.
var (
	DBPoolConnections = Metric{Name: "db_pool_connections", Type: TypeGauge, Labels: []string{"state"},
		Help: "Connections of the pool. state: in_use, idle, opening, max (the limit)."}
	DBPoolAcquires = Metric{Name: "db_pool_acquires_total", Type: TypeCounter,
		Help: "Connections taken from the pool."}
	DBPoolAcquireWaits = Metric{Name: "db_pool_acquire_waits_total", Type: TypeCounter,
		Help: "Connections that had to be waited for because none was idle."}
	DBPoolAcquireCancels = Metric{Name: "db_pool_acquire_cancels_total", Type: TypeCounter,
		Help: "Waits for a connection that were given up."}
	DBPoolAcquireSeconds = Metric{Name: "db_pool_acquire_seconds_total", Type: TypeCounter,
		Help: "Time spent taking connections from the pool."}
	DBQueryDuration = Metric{Name: "db_query_duration_seconds", Type: TypeHistogram, Labels: []string{"query", "outcome"}, Buckets: storeBuckets,
		Help: "Time of a named statement. outcome: ok, error."}
	DBPages = Metric{Name: "db_pages_total", Type: TypeCounter, Labels: []string{"source"},
		Help: "Pages of lists where there is a replica, by their source. source: replica, primary_behind (the replica lacks changes of the seller), primary_away (it failed)."}
	SellerTransactions = Metric{Name: "seller_transactions_open", Type: TypeGauge, Labels: []string{"seller"},
		Help: "Writing transactions of a seller that are open at once, on the average of the last 15 to 30 seconds; the five sellers with the most. Changes of one seller are made one after the other, so of several all but one wait: this number, and no time, is how hot the seller's clock is."}
	DBTableBytes = Metric{Name: "db_table_bytes", Type: TypeGauge, Shared: true, Labels: []string{"table"},
		Help: "What a table of the service takes on disk, with its indexes. Every instance shows the same tables."}
	DBTableRows = Metric{Name: "db_table_rows", Type: TypeGauge, Shared: true, Labels: []string{"table"},
		Help: "Its rows, as the database estimates them; missing for a table that was not looked at yet by vacuum or analyze."}
)

// Redis.
var (
	RedisPoolConnections = Metric{Name: "redis_pool_connections", Type: TypeGauge, Labels: []string{"state"},
		Help: "Connections of the pool. state: in_use, idle, max (the limit)."}
	RedisPoolHits = Metric{Name: "redis_pool_hits_total", Type: TypeCounter,
		Help: "Connections that were found idle."}
	RedisPoolMisses = Metric{Name: "redis_pool_misses_total", Type: TypeCounter,
		Help: "Connections that had to be opened."}
	RedisPoolTimeouts = Metric{Name: "redis_pool_timeouts_total", Type: TypeCounter,
		Help: "Waits for a connection that ran out of time."}
	RedisPoolStale = Metric{Name: "redis_pool_stale_total", Type: TypeCounter,
		Help: "Connections dropped because they were dead or too old."}
	RedisCommandDuration = Metric{Name: "redis_command_duration_seconds", Type: TypeHistogram, Labels: []string{"command", "outcome"}, Buckets: storeBuckets,
		Help: "Time of a command, or of a script under the script's name. outcome: ok, error."}
	RedisMemoryInUse = Metric{Name: "redis_memory_in_use_ratio", Type: TypeGauge,
		Help: "Part of maxmemory that the last readiness probe found in use, of the fullest server; 0 without maxmemory. At 1 new idempotency keys are refused."}
)

// Background work.
var (
	SagaSteps = Metric{Name: "saga_steps_total", Type: TypeCounter, Labels: []string{"step", "outcome"},
		Help: "Steps tried across services. outcome: done_inline, done_by_job, retry, failed."}
	SagaOldestPending = Metric{Name: "saga_oldest_pending_seconds", Type: TypeGauge, Shared: true, Labels: []string{"step"},
		Help: "Age of the oldest step that is not done; 0 when there is none."}
	RefundAsks = Metric{Name: "refund_asks_total", Type: TypeCounter, Labels: []string{"outcome"},
		Help: "Refunds that the payment provider was asked for. outcome: succeeded, accepted, failed (it refused), needs_account, silent (no usable answer), given_up (the service ended or the caller left)."}
	JobRuns = Metric{Name: "job_runs_total", Type: TypeCounter, Labels: []string{"kind", "outcome"},
		Help: "Due items that sweeps have done or tried. outcome: done, retry (it failed and stays due), panic (the same, by a mistake in the program)."}
	JobDuration = Metric{Name: "job_duration_seconds", Type: TypeHistogram, Labels: []string{"kind"}, Buckets: requestBuckets,
		Help: "Time of one try of a due item."}
)

// Work in progress. Every instance of a service counts the same rows of the database, so dashboards take the maximum and not the sum.
// Finished work is not counted, because its number only grows.
var (
	OrdersOpen = Metric{Name: "orders_open", Type: TypeGauge, Shared: true, Labels: []string{"item_status"},
		Help: "Sellers' parts of orders with items in the state: paid, preparing, shipping, delivered."}
	ClaimsOpen = Metric{Name: "claims_open", Type: TypeGauge, Shared: true, Labels: []string{"type", "status"},
		Help: "Claims that have not ended, by type and state."}
	RefundsOpen = Metric{Name: "refunds_open", Type: TypeGauge, Shared: true, Labels: []string{"status"},
		Help: "Refunds that have not succeeded. status: queued, sent, awaiting_account, retrying, manual."}
	RefundUnanswered = Metric{Name: "refund_unanswered_seconds", Type: TypeGauge, Shared: true,
		Help: "How long the payment provider has owed the oldest answer about a refund; 0 when it owes none. Accepting a refund is an answer."}
	DeadlineOverdue = Metric{Name: "deadline_overdue_seconds", Type: TypeGauge, Shared: true, Labels: []string{"deadline"},
		Help: "How long ago the oldest deadline passed that nothing has followed yet; 0 when there is none. deadline: purchase, inspection, payment, answer (its retention)."}
	InboxRows = Metric{Name: "inbox_rows", Type: TypeGauge, Shared: true, Labels: []string{"kept"},
		Help: "First answers to requests, as the database estimates them. kept: keys (as long as IDEMPOTENCY_KEYS_KEPT says), answers (until their retention ends)."}
)

// Groups returns the catalogue in chapters.
func Groups() []Group {
	return []Group{
		{"Every instance", []Metric{BuildInfo, TraceExportFailures, Ready, ClockSkew, DependencyUp, DependencyImpaired}},
		{"Public paths", []Metric{HTTPRequests, HTTPDuration, HTTPInFlight}},
		{"Remote procedure calls", []Metric{RPCServerRequests, RPCServerDuration, RPCClientRequests, RPCClientDuration}},
		{"Gateway: the inner hop", []Metric{UpstreamRequests, UpstreamDuration}},
		{"Gateway: keys, limits, idempotency", []Metric{KeyLookups, KeyRefusals, AddressRefusals, ConnectionRefusals, LimitDecisions, IdempotencyOutcomes, IdempotencyOldest}},
		{"Gateway: bodies", []Metric{BodyMemory, BodyRefusals}},
		{"Gateway: the busiest sellers", []Metric{SellerCalls, SellerRows}},
		{"PostgreSQL", []Metric{
			DBPoolConnections, DBPoolAcquires, DBPoolAcquireWaits, DBPoolAcquireCancels, DBPoolAcquireSeconds, DBQueryDuration, DBPages,
			SellerTransactions, DBTableBytes, DBTableRows,
		}},
		{"Redis", []Metric{
			RedisPoolConnections, RedisPoolHits, RedisPoolMisses, RedisPoolTimeouts, RedisPoolStale, RedisCommandDuration,
			RedisMemoryInUse,
		}},
		{"Background work", []Metric{SagaSteps, SagaOldestPending, RefundAsks, JobRuns, JobDuration}},
		{"Under way", []Metric{OrdersOpen, ClaimsOpen, RefundsOpen, RefundUnanswered, DeadlineOverdue, InboxRows}},
	}
}

// Catalogue returns every metric that an instance may report.
func Catalogue() []Metric {
	var all []Metric
	for _, group := range Groups() {
		all = slices.Concat(all, group.Metrics)
	}
	return all
}
