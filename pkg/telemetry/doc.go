// Package telemetry is what a service says about itself: log lines, spans and metrics, made once at the start and
// handed down explicitly.
//
// # Nothing global
//
// Four services may run in one process. Each has its own Telemetry with its own logger, tracer provider and metrics
// registry, and nothing here sets or reads slog's, OpenTelemetry's or Prometheus' global default. A library that wants a
// provider gets ours as an option; one that is given none says nothing.
//
// # Logs
//
// One JSON object a line, with trace_id and span_id at the top level when the context carries a span. Two nets keep
// secrets out. Attributes whose name says that they hold one (password, token, authorization, …) lose their value
// whatever it is. And the finished line is searched for seller API keys, which are cut to their first 12 characters as in
// the key list, and for passwords inside connection addresses: this second net works on bytes, so it also catches an
// error text or an overlooked struct.
//
// # Traces
//
// Spans go to an OTLP collector over gRPC. A request never waits for it: finished spans are put into a bounded queue and
// dropped when the queue is full, so a dead collector costs spans and nothing else. Failures to export are counted and
// logged once a minute at most. Without an endpoint no span is recorded, but ids are still made and passed on, so
// that the log lines of one request can be found in every service. The sampling decision of the caller wins;
// a request that comes without one is sampled with the configured ratio.
//
// # Metrics
//
// Every metric of every service is a row of the catalogue (catalogue.go), and only rows of the catalogue can be
// registered. METRICS.md is rendered from it. To add a metric: add the row, list it in its group, run `go generate`.
package telemetry
