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

// Metric is a row of the catalogue. Names end in their unit; a label never carries a value that clients choose, such as a path,
// an id or a key, because each value creates a time series.
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

// Buckets of durations in seconds. Requests normally take a few milliseconds, at most the deadlines of the gateway; statements
// and commands start lower.
var (
	requestBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
	storeBuckets   = []float64{.00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5}
)

// Metrics of every instance.
var (
	BuildInfo = Metric{
		Name: "build_info", Type: TypeGauge, Labels: []string{"service", "version", "go_version"},
		Help: "Always 1; the labels describe the build.",
	}
	TraceExportFailures = Metric{
		Name: "trace_export_failures_total", Type: TypeCounter,
		Help: "Spans that the collector did not accept.",
	}
	DependencyUp = Metric{
		Name: "dependency_up", Type: TypeGauge, Labels: []string{"check"},
		Help: "1 when the last readiness probe of the dependency succeeded, else 0.",
	}
	DependencyImpaired = Metric{
		Name: "dependency_impaired", Type: TypeGauge, Labels: []string{"check", "impairment"},
		Help: "1 when the dependency responded to the last readiness probe but is impaired, else 0. impairment: full (Redis: no " +
			"memory left for writes), read_only (PostgreSQL), row_security (PostgreSQL: statements are not confined to their seller).",
	}
	ClockSkew = Metric{
		Name: "clock_skew_seconds", Type: TypeGauge,
		Help: "By how much the clock of the instance is ahead of that of its database, measured by the last readiness probe; " +
			"differences below the probe's duration count as 0.",
	}
	Ready = Metric{
		Name: "ready", Type: TypeGauge,
		Help: "1 while the instance accepts requests, 0 while it starts, drains or lacks a dependency.",
	}
)

// The public paths, by route template.
var (
	HTTPRequests = Metric{
		Name: "http_requests_total", Type: TypeCounter,
		Labels: []string{"route", "method", "status", "error_code"},
		Help:   "Completed requests. error_code is empty on success and for responses that have none.",
	}
	HTTPDuration = Metric{
		Name: "http_request_duration_seconds", Type: TypeHistogram, Labels: []string{"route", "method"},
		Buckets: requestBuckets,
		Help:    "Time from the first byte read to the last byte written.",
	}
	HTTPInFlight = Metric{
		Name: "http_requests_in_flight", Type: TypeGauge,
		Help: "Requests in progress.",
	}
)

// Remote procedure calls, by procedure such as /orders.v1.ClaimLines/Open.
var (
	RPCServerRequests = Metric{
		Name: "rpc_server_requests_total", Type: TypeCounter,
		Labels: []string{"procedure", "code", "error_code"},
		Help:   "Completed calls. code is the RPC code (ok on success), error_code that of the domain.",
	}
	RPCServerDuration = Metric{
		Name: "rpc_server_duration_seconds", Type: TypeHistogram, Labels: []string{"procedure"},
		Buckets: requestBuckets,
		Help:    "Duration of a call.",
	}
	RPCClientRequests = Metric{
		Name: "rpc_client_requests_total", Type: TypeCounter,
		Labels: []string{"procedure", "code", "error_code"},
		Help:   "Calls to other services, as seen by the caller.",
	}
	RPCClientDuration = Metric{
		Name: "rpc_client_duration_seconds", Type: TypeHistogram, Labels: []string{"procedure"},
		Buckets: requestBuckets,
		Help:    "Duration of a call to another service.",
	}
)

// The gateway's inner hop.
var (
	UpstreamRequests = Metric{
		Name: "upstream_requests_total", Type: TypeCounter, Labels: []string{"upstream", "outcome"},
		Help: "Requests forwarded to a service. outcome is the status class (2xx … 5xx) or the kind of failure (unavailable, " +
			"timeout, bad_answer, client_gone).",
	}
	UpstreamDuration = Metric{
		Name: "upstream_duration_seconds", Type: TypeHistogram, Labels: []string{"upstream"},
		Buckets: requestBuckets,
		Help:    "Duration of a forwarded request.",
	}
)

// Keys, limits and idempotency at the gateway.
var (
	KeyLookups = Metric{
		Name: "key_lookups_total", Type: TypeCounter, Labels: []string{"source"},
		Help: "Keys read from the database. source: call, preload (at the start of an instance).",
	}
	KeyPreloads = Metric{
		Name: "key_preloads_total", Type: TypeCounter, Labels: []string{"outcome"},
		Help: "Starts of an instance by what became of the preload of its keys. outcome: done, given_up (three tries failed " +
			"although the database answers: keys are looked up one by one).",
	}
	KeyRefusals = Metric{
		Name: "key_refusals_total", Type: TypeCounter, Labels: []string{"reason"},
		Help: "Keys refused. reason: missing, repeated, malformed, forged, environment, unknown, altered, revoked, expired, scope.",
	}
	AddressRefusals = Metric{
		Name: "address_refusals_total", Type: TypeCounter,
		Help: "Calls without a valid key that were answered 429 because their address had already made RATE_REFUSED of them.",
	}
	ConnectionRefusals = Metric{
		Name: "connection_refusals_total", Type: TypeCounter,
		Help: "Connections that were closed immediately because their address already had CONNECTIONS_PER_ADDRESS of them.",
	}
	LimitDecisions = Metric{
		Name: "limit_decisions_total", Type: TypeCounter, Labels: []string{"class", "outcome"},
		Help: "Calls checked against the limits. class: read, process. outcome: admitted, refused_calls, refused_rows, unavailable, " +
			"full (Redis has no memory for a new idempotency key).",
	}
	IdempotencyOutcomes = Metric{
		Name: "idempotency_outcomes_total", Type: TypeCounter, Labels: []string{"outcome"},
		Help: "Results of the processing of idempotency keys. outcome: new, busy, reused, replayed, expired, stored, not_stored, late.",
	}
)

// Process calls at the gateway.
var (
	IdempotencyOldest = Metric{
		Name: "idempotency_oldest_in_progress_seconds", Type: TypeGauge,
		Help: "Age of the oldest idempotency key that the instance has in progress; 0 when there is none. A call takes half a " +
			"minute at most.",
	}
	BodyMemory = Metric{
		Name: "body_memory_bytes", Type: TypeGauge,
		Help: "Memory reserved for request bodies, by Content-Length. The limit is BODY_MEMORY_MIB.",
	}
	BodyRefusals = Metric{
		Name: "body_refusals_total", Type: TypeCounter, Labels: []string{"reason"},
		Help: "Bodies of admitted calls that were refused before they were read completely. reason: key (four bodies of the key are " +
			"in progress), memory (the limit is reached), slow.",
	}
	CallWaits = Metric{
		Name: "call_waits_total", Type: TypeCounter, Labels: []string{"class", "outcome"},
		Help: "Pages and large bodies that waited for others of their seller. class: read, process. outcome: waited, late (it was " +
			"refused with 503, because it got no permit within half the time-out of its operation; it also counts as waited).",
	}
	HeldCalls = Metric{
		Name: "held_calls", Type: TypeGauge,
		Help: "Calls that are held until something of their seller changes. HELD_CALLS is the limit.",
	}
	HeldCallEnds = Metric{
		Name: "held_call_ends_total", Type: TypeCounter, Labels: []string{"end"},
		Help: "Held calls that ended. end: moved (something changed; held again if it was not on the list), unchanged (the time was " +
			"over), replaced (by another call of the key for the list), drained (the instance stops), gone (the client disconnected), " +
			"full (not held, because as many as allowed were).",
	}
)

// Webhooks of sellers, which the gateway delivers to.
var (
	WebhookDeliveries = Metric{
		Name: "webhook_deliveries_total", Type: TypeCounter, Labels: []string{"outcome"},
		Help: "Deliveries to webhooks. outcome: delivered, refused (the answer was not 2xx), unreachable (there was no answer).",
	}
	WebhookOldest = Metric{
		Name: "webhook_oldest_undelivered_seconds", Type: TypeGauge,
		Help: "How long the oldest change has been known for which no delivery has begun. Webhooks that failed and wait for their " +
			"next attempt are left out. Two seconds are usual.",
	}
	WebhooksPaused = Metric{
		Name: "webhooks_paused", Type: TypeGauge, Labels: []string{"by"},
		Help: "Webhooks without deliveries. by: seller, failures (each delivery of a day failed).",
	}
)

// The request log of the gateway.
var (
	RequestLogCalls = Metric{
		Name: "request_log_calls_total", Type: TypeCounter, Labels: []string{"outcome"},
		Help: "Answered calls with a known key. outcome: written, full (not written, because the queue was full), crowded (not " +
			"written, because the queue had a thousand calls of the seller), lost (not written, because the database refused them or " +
			"the instance stopped while it was away).",
	}
	RequestLogQueued = Metric{
		Name: "request_log_queued", Type: TypeGauge,
		Help: "Calls that wait to be written to the request log; at most 20000.",
	}
	RequestLogPartitionsDropped = Metric{
		Name: "request_log_partitions_dropped_total", Type: TypeCounter, Labels: []string{"limit"},
		Help: "Days of the request log that were dropped. limit: days (REQUEST_LOG_DAYS), bytes (REQUEST_LOG_MIB: earlier than that).",
	}
	RequestLogBytesOver = Metric{
		Name: "request_log_bytes_over", Type: TypeGauge, Shared: true,
		Help: "By how much today alone is larger than REQUEST_LOG_MIB; only earlier days are dropped.",
	}
)

// The busiest sellers at the gateway, twenty at a time, and the sum of all others. The set of sellers changes slowly.
var (
	SellerCalls = Metric{
		Name: "seller_calls_per_second", Type: TypeGauge, Labels: []string{"seller"},
		Help: "Calls over the last five to ten minutes, including refused ones. seller: the twenty busiest of the instance, and " +
			"other for the rest.",
	}
	SellerRows = Metric{
		Name: "seller_rows_per_second", Type: TypeGauge, Labels: []string{"seller"},
		Help: "Rows returned over the same time to the same sellers.",
	}
)

// PostgreSQL, by the name of the statement.
var (
	DBPoolConnections = Metric{
		Name: "db_pool_connections", Type: TypeGauge, Labels: []string{"state"},
		Help: "Connections of the pool. state: in_use, idle, opening, max (the limit).",
	}
	DBPoolAcquires = Metric{
		Name: "db_pool_acquires_total", Type: TypeCounter,
		Help: "Connections acquired from the pool.",
	}
	DBPoolAcquireWaits = Metric{
		Name: "db_pool_acquire_waits_total", Type: TypeCounter,
		Help: "Acquisitions that had to wait because no connection was idle.",
	}
	DBPoolAcquireCancels = Metric{
		Name: "db_pool_acquire_cancels_total", Type: TypeCounter,
		Help: "Waits for a connection that were cancelled.",
	}
	DBPoolAcquireSeconds = Metric{
		Name: "db_pool_acquire_seconds_total", Type: TypeCounter,
		Help: "Time spent acquiring connections from the pool.",
	}
	DBQueryDuration = Metric{
		Name: "db_query_duration_seconds", Type: TypeHistogram, Labels: []string{"query", "outcome"},
		Buckets: storeBuckets,
		Help:    "Duration of a named statement. outcome: ok, error.",
	}
	DBPages = Metric{
		Name: "db_pages_total", Type: TypeCounter, Labels: []string{"source"},
		Help: "List pages read where there is a replica, by source: replica, primary_behind (the replica lacked changes of the " +
			"seller), primary_away (the replica failed).",
	}
	SellerClockWaiting = Metric{
		Name: "seller_clock_waiting", Type: TypeGauge, Labels: []string{"seller"},
		Help: "Seconds per second for which changes of a seller waited for its clock, over the two last windows of at least 15 " +
			"seconds, for the five sellers with the longest waits. Changes of one seller are executed one at a time; at 1, one change " +
			"is waiting on average. A wait includes the round trip of its statement, and is counted when it ends.",
	}
	SellerClockWait = Metric{
		Name: "seller_clock_wait_seconds", Type: TypeGauge, Labels: []string{"seller"},
		Help: "Mean time for which a change of a seller waited for its clock, over the same time and for the same sellers.",
	}
	DBTableBytes = Metric{
		Name: "db_table_bytes", Type: TypeGauge, Shared: true, Labels: []string{"table"},
		Help: "Size on disk of a table of the service, including its indexes. Every instance reports the same tables.",
	}
	DBTableRows = Metric{
		Name: "db_table_rows", Type: TypeGauge, Shared: true, Labels: []string{"table"},
		Help: "Rows of the table, as estimated by the database; missing until the table's first vacuum or analyze.",
	}
)

// Redis.
var (
	RedisPoolConnections = Metric{
		Name: "redis_pool_connections", Type: TypeGauge, Labels: []string{"state"},
		Help: "Connections of the pool. state: in_use, idle, max (the limit).",
	}
	RedisPoolHits = Metric{
		Name: "redis_pool_hits_total", Type: TypeCounter,
		Help: "Acquisitions that found an idle connection.",
	}
	RedisPoolMisses = Metric{
		Name: "redis_pool_misses_total", Type: TypeCounter,
		Help: "Acquisitions that had to open a connection.",
	}
	RedisPoolTimeouts = Metric{
		Name: "redis_pool_timeouts_total", Type: TypeCounter,
		Help: "Waits for a connection that timed out.",
	}
	RedisPoolStale = Metric{
		Name: "redis_pool_stale_total", Type: TypeCounter,
		Help: "Connections closed because they were broken or too old.",
	}
	RedisCommandDuration = Metric{
		Name: "redis_command_duration_seconds", Type: TypeHistogram,
		Labels: []string{"command", "outcome"}, Buckets: storeBuckets,
		Help: "Duration of a command, or of a script under the script's name. outcome: ok, error.",
	}
	RedisMemoryInUse = Metric{
		Name: "redis_memory_in_use_ratio", Type: TypeGauge,
		Help: "Fraction of maxmemory in use at the last readiness probe, of the fullest server; 0 without maxmemory. At 1 new " +
			"idempotency keys are refused.",
	}
)

// Background work.
var (
	SagaSteps = Metric{
		Name: "saga_steps_total", Type: TypeCounter, Labels: []string{"step", "outcome"},
		Help: "Attempts of steps across services. outcome: done_inline, done_by_job, retry, failed.",
	}
	SagaOldestPending = Metric{
		Name: "saga_oldest_pending_seconds", Type: TypeGauge, Shared: true, Labels: []string{"step"},
		Help: "Age of the oldest pending step; 0 when there is none.",
	}
	RefundAsks = Metric{
		Name: "refund_asks_total", Type: TypeCounter, Labels: []string{"outcome"},
		Help: "Refund requests to the payment provider. outcome: succeeded, accepted, failed (refused), needs_account, silent (no " +
			"usable response), given_up (the service stopped or the caller disconnected).",
	}
	JobRuns = Metric{
		Name: "job_runs_total", Type: TypeCounter, Labels: []string{"kind", "outcome"},
		Help: "Due items that sweeps have processed or tried. outcome: done, retry (it failed and stays due), panic (the same, " +
			"because of a bug).",
	}
	JobDuration = Metric{
		Name: "job_duration_seconds", Type: TypeHistogram, Labels: []string{"kind"}, Buckets: requestBuckets,
		Help: "Duration of one attempt of a due item.",
	}
)

// Work in progress. Every instance of a service counts the same rows of the database, so dashboards take the maximum and not
// the sum. Finished work is not counted, because its number only grows.
var (
	OrdersOpen = Metric{
		Name: "orders_open", Type: TypeGauge, Shared: true, Labels: []string{"item_status"},
		Help: "Sellers' parts of orders with items in the state: paid, preparing, shipping, delivered.",
	}
	ClaimsOpen = Metric{
		Name: "claims_open", Type: TypeGauge, Shared: true, Labels: []string{"type", "status"},
		Help: "Claims that are not completed, by type and state.",
	}
	RefundsOpen = Metric{
		Name: "refunds_open", Type: TypeGauge, Shared: true, Labels: []string{"status"},
		Help: "Refunds that have not succeeded. status: queued, sent, awaiting_account, retrying, manual.",
	}
	RefundUnanswered = Metric{
		Name: "refund_unanswered_seconds", Type: TypeGauge, Shared: true,
		Help: "How long the oldest refund request to the payment provider has been unanswered; 0 when there is none. Accepting a " +
			"refund is an answer.",
	}
	DeadlineOverdue = Metric{
		Name: "deadline_overdue_seconds", Type: TypeGauge, Shared: true, Labels: []string{"deadline"},
		Help: "How long ago the oldest unprocessed deadline passed; 0 when there is none. deadline: purchase, inspection, payment, " +
			"answer (the retention of a stored response).",
	}
	InboxRows = Metric{
		Name: "inbox_rows", Type: TypeGauge, Shared: true, Labels: []string{"kept"},
		Help: "Stored idempotency keys and responses, as estimated by the database. kept: keys (for IDEMPOTENCY_KEYS_KEPT), answers " +
			"(until their retention ends).",
	}
)

// Groups returns the catalogue in chapters.
func Groups() []Group {
	return []Group{
		{"Every instance", []Metric{BuildInfo, TraceExportFailures, Ready, ClockSkew, DependencyUp, DependencyImpaired}},
		{"Public paths", []Metric{HTTPRequests, HTTPDuration, HTTPInFlight}},
		{"Remote procedure calls", []Metric{RPCServerRequests, RPCServerDuration, RPCClientRequests, RPCClientDuration}},
		{"Gateway: forwarding", []Metric{UpstreamRequests, UpstreamDuration}},
		{"Gateway: keys, limits, idempotency", []Metric{
			KeyLookups, KeyPreloads, KeyRefusals, AddressRefusals, ConnectionRefusals,
			LimitDecisions, IdempotencyOutcomes, IdempotencyOldest,
		}},
		{"Gateway: bodies", []Metric{BodyMemory, BodyRefusals, CallWaits}},
		{"Gateway: held calls", []Metric{HeldCalls, HeldCallEnds}},
		{"Gateway: webhooks", []Metric{WebhookDeliveries, WebhookOldest, WebhooksPaused}},
		{"Gateway: request log", []Metric{RequestLogCalls, RequestLogQueued, RequestLogPartitionsDropped, RequestLogBytesOver}},
		{"Gateway: the busiest sellers", []Metric{SellerCalls, SellerRows}},
		{"PostgreSQL", []Metric{
			DBPoolConnections, DBPoolAcquires, DBPoolAcquireWaits, DBPoolAcquireCancels, DBPoolAcquireSeconds, DBQueryDuration, DBPages,
			SellerClockWaiting, SellerClockWait, DBTableBytes, DBTableRows,
		}},
		{"Redis", []Metric{
			RedisPoolConnections, RedisPoolHits, RedisPoolMisses, RedisPoolTimeouts, RedisPoolStale, RedisCommandDuration,
			RedisMemoryInUse,
		}},
		{"Background work", []Metric{SagaSteps, SagaOldestPending, RefundAsks, JobRuns, JobDuration}},
		{"Open work", []Metric{OrdersOpen, ClaimsOpen, RefundsOpen, RefundUnanswered, DeadlineOverdue, InboxRows}},
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
