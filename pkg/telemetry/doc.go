// Package telemetry provides the log lines, spans and metrics of a service, created once at the start and passed explicitly.
//
// # No globals
//
// Four services may run in one process. Each has its own Telemetry with its own logger, tracer provider and metrics registry,
// and nothing here sets or reads slog's, OpenTelemetry's or Prometheus' global default. Libraries get these providers as
// options; a library without a provider records nothing.
//
// # Logs
//
// One JSON object a line, with trace_id and span_id at the top level when the context carries a span. Two mechanisms keep
// secrets out. The values of attributes with names such as password, token or authorization are always redacted; token_id, by
// which a token is revoked, is not. And the finished line is searched for seller API keys, which are cut to their first 12
// characters as in the key list, and for passwords inside connection addresses: this search works on bytes, so it also covers
// error texts and overlooked structs.
//
// # Traces
//
// Spans are exported to an OTLP collector over gRPC. A request never waits for it: finished spans are put into a bounded queue
// and dropped when the queue is full, so that a collector failure only costs spans. Export failures are counted and logged at
// most once a minute. Without an endpoint no span is recorded, but ids are still generated and propagated, so that the log
// lines of one request can be found in every service. The sampling decision of the caller takes precedence; a request without
// one is sampled with the configured ratio.
//
// # Metrics
//
// Every metric of every service is a row of the catalogue (catalogue.go), and only rows of the catalogue can be registered.
// METRICS.md is rendered from it. To add a metric: add the row, list it in its group, run `go generate`.
package telemetry
