package telemetry

import (
	"io"
	"log/slog"
)

// Config holds the settings of logs and traces. The zero value logs from INFO on and records no spans.
type Config struct {
	LogLevel    slog.Level `name:"log-level" env:"LOG_LEVEL" default:"INFO" help:"Minimum severity that is logged: DEBUG, INFO, WARN, ERROR."`
	Endpoint    string     `name:"otlp-endpoint" env:"OTEL_EXPORTER_OTLP_ENDPOINT" help:"OTLP collector (gRPC) for spans, as http://host:port, https://host:port or host:port. Empty: no spans are recorded."`
	SampleRatio float64    `name:"trace-sample-ratio" env:"TRACE_SAMPLE_RATIO" default:"1" help:"Fraction of the traces, 0 to 1, that is recorded. The gateway decides for the services behind it."`

	// Logs receives the log lines, one call of Write for each, when several services share a process; nil means standard error.
	Logs io.Writer `kong:"-"`
}
