package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"sellerapi.dev/pkg/telemetry"
)

// What can become of a run.
const (
	outcomeDone      = "done"
	outcomeRetry     = "retry"
	outcomeDiscarded = "discarded"
	outcomeSnoozed   = "snoozed"
)

// observer gives every run of a job a span and counts it.
type observer struct {
	river.MiddlewareDefaults
	tracer    trace.Tracer
	runs      *prometheus.CounterVec
	durations *prometheus.HistogramVec
}

// newObserver returns the observer of an instance.
func newObserver(tel *telemetry.Telemetry) *observer {
	return &observer{
		tracer: tel.TracerProvider.Tracer("jobs"), runs: tel.Counter(telemetry.JobRuns), durations: tel.Histogram(telemetry.JobDuration),
	}
}

// Work implements rivertype.WorkerMiddleware.
func (o *observer) Work(ctx context.Context, job *rivertype.JobRow, next func(context.Context) error) error {
	ctx, span := o.tracer.Start(ctx, "job "+job.Kind, trace.WithSpanKind(trace.SpanKindConsumer),
		trace.WithAttributes(attribute.Int64("job.id", job.ID), attribute.Int("job.attempt", job.Attempt)))
	defer span.End()
	begun := time.Now()
	err := next(ctx)
	outcome := outcomeOf(job, err)
	if outcome == outcomeRetry || outcome == outcomeDiscarded {
		span.RecordError(err)
		span.SetStatus(codes.Error, outcome)
	}
	o.durations.WithLabelValues(job.Kind).Observe(time.Since(begun).Seconds())
	o.runs.WithLabelValues(job.Kind, outcome).Inc()
	return err
}

// outcomeOf says what becomes of a job after a run.
func outcomeOf(job *rivertype.JobRow, err error) string {
	var snooze *rivertype.JobSnoozeError
	var cancel *rivertype.JobCancelError
	switch {
	case err == nil:
		return outcomeDone
	case errors.As(err, &snooze):
		return outcomeSnoozed
	case errors.As(err, &cancel), job.Attempt >= job.MaxAttempts:
		return outcomeDiscarded
	default:
		return outcomeRetry
	}
}
